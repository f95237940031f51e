"""The tiny game in two languages for the page, and where its pictures are found there."""

BILINGUAL = {
    "languages: [en]": "languages: [en, ja]", "title: Tiny": "title: {en: Tiny, ja: 小箱}",
    "    name: Card\n": "    name: {en: Card, ja: 札}\n", "{name: Star,": "{name: {en: Star, ja: 星},",
    "title: One": "title: {en: One, ja: 一枚目}", "title: Two": "title: {en: Two, ja: 二枚目}",
    "regular: [SourceSans3_400Regular.ttf]}": "regular: [SourceSans3_400Regular.ttf]}, ja: {regular: [BIZUDPGothic_400Regular.ttf]}",
}  # fmt: skip


PICTURE = "document.querySelector('[data-key=\"en:front:card/one\"] img.picture')"
ONE = "document.querySelector('[data-design=\"card/one\"]')"
SHOWN = "[...document.querySelectorAll('.design:not([hidden])')].map((one) => one.dataset.design).join()"
DRAWN = "document.querySelectorAll('.face.drawn').length"
