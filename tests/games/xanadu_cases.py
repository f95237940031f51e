"""Changes of Xanadu's data, and what its checks say of them."""

from typing import Any

from game_changes import Change, after, card, row, rule, setup, stated, switch, variant, without_kind
from xanadu_game import settled

from generator.game.model import Effect, SetupItem
from generator.game.rich_text import Words
from generator.rules.xanadu.data import facts_of, limits_of, map_of, names_of, request_facts_of, shortage_of

FINDINGS = {
    "text_no_damage": "E01", "dispatch_total_exact": "E02", "workers_refresh_guarantee": "E03",
    "resources_normal_worst_case": "E06", "vp_tokens_stated": "E14", "skills_even_split": "E16", "port_complete": "E24",
    "landmark_used": "E25", "majority_zone1_rises": "E27", "start_player_fair": "E52", "terms_single": "E57",
    "round_marker_exists": "E60",
}  # fmt: skip
READINGS = {"growth_lids": "E19", "sim_normals_in_use_max": "E06"}


def position(name: str, **values: Any) -> Change:
    return row("map", "positions", where=("id", name), **values)


def zone(number: int, **values: Any) -> Change:
    return row("majority", where=("zone", number), **values)


FAILS = [
    ("pieces_total", card("skill/W1", count=2), "stated: 368"),
    ("pieces_total", card("vp/vp-1", count=31), "vp: 81"),
    ("colours_agree", card("share/red", count=11), "share: 11 red, 12 blue"),
    ("colours_agree", card("worker/red", company="blue"), "misnamed red"),
    ("setup_agrees", rule("start", shares=11), "share each: 12, not 11"),
    ("setup_agrees", lambda game: setup(*game.setup, SetupItem(5, "vp"))(game), "vp: 5, not 0"),
    ("stock_after_setup", row("limits", "table", where=("players", 4), dispatch=15), "dispatch 16 (the limits say 15)"),
    ("stock_after_setup", card("request/FL1", count=2), "lower 22 (the limits say 21)"),
    ("text_restored", card("skill/W1", title=Words({"ja": "③と@", "en": "3"})), "skill/W1.title: @"),
    ("text_restored", card("skill/W1", title=Words({"ja": "Aの地区", "en": "A"})), "skill/W1.title: A"),
    ("areas_total", card("area_board/lotus", count=2), "boards: 11"),
    ("areas_total", rule("map", figure=("□◆□", "□□", "□□□", "□")), "squares: 9"),
    ("map_figure", rule("map", figure=("◆□□", "□□", "□□□", "□□")), "is drawn as □"),
    ("map_figure", rule("map", zones=("①□①", "①①", "②②②", "②③")), "has zone 3, but is drawn in 2"),
    ("map_figure", position("p9", x=5), "p9 (data/xanadu/map.yaml:"),
    ("zone_partition", position("p8", zone=2), "zone 2: 4 (the limits say 3); zone 3: 1 (the limits say 2)"),
    ("map_edges", position("p0", next=("p1",)), ", but not the other way round"),
    ("map_edges", position("p0", next=("p1", "p3", "p9")), "do not touch"),
    ("map_edges", position("p0", next=("p1", "p3", "p10")), "is next to p10, which is no place"),
    (
        "map_edges",
        after(position("p2", next=()), position("p1", next=("p0", "p3", "p4")), position("p4", next=("p1", "p3", "p6", "p7"))),
        "cannot be reached",
    ),
    ("map_edges", rule("limits", edges=17), "18 (the limits say 17) pairs"),
    ("map_edges", switch("adjacency", "square_shift"), "touch"),
    ("map_zone_equals_distance", position("p5", zone=3), "): zone 3, distance 2"),
    ("map_example", rule("map", "example", p0="port"), "lantern is laid 0 times; port is laid 2 times"),
    ("map_example", rule("map", "example", p0="bluetile", p2="lanten"), "lanten is no board"),
    ("icons_cover_types", card("area_board/lotus", types=("furniture", "food")), "entertainment is on 3 boards, not 4"),
    ("gauges_follow_icons", card("area_board/lotus", gauge=4), ": 4 boxes for 3 icons"),
    ("gauges_follow_icons", card("area_board/port", gauge=4), ": 4 boxes for 0 icons"),
    ("gauge_total", card("area_board/lotus", gauge=4), "boxes: 37"),
    ("landmarks_even", card("area_board/lotus", landmark="tower"), "uneven: bazaar on lantern"),
    ("landmarks_even", card("area_board/lotus", landmark=None), "lotus (data/xanadu/boards.yaml:"),
    ("warehouse_room", card("skill/B1", effects=(Effect("hold_more", {"n": 2}),)), "5 + 2 = 7 (the limits say 6)"),
    ("warehouse_room", rule("growth", limit=(3, 4, 6, 7)), "6 + 1 = 7 (the limits say 6)"),
    ("requests_total", card("request/FL1", count=2), "lower: 31"),
    ("requests_types", card("request/FL1", type="books"), "furniture: 5 + 6, not 12 in equal parts; books: 7 + 6"),
    ("requests_types", card("request/FU1", tier="lower"), "not foreseen: FU1 (data/xanadu/requests.yaml:"),
    ("requests_templates", card("request/FL1", cost=(3, 0, 0)), "asks for 3/0/0, other L1 for 2/0/0"),
    ("requests_formula", card("request/FL1", vp=4), ": 4 VP, not 3"),
    ("requests_formula", card("request/FL1", cost=(2, 0)), "asks for 2 grades"),
    ("requests_formula", rule("requests", further=2), "3 VP, not 4"),
    ("requests_tier_quality", card("request/FL6", cost=(0, 1, 1)), ": 3 steps"),
    ("requests_tier_quality", rule("requests", upper_least=4), "FU1 (data/xanadu/requests.yaml:"),
    ("requests_fit_limit", rule("growth", limit=(2, 3, 3, 3)), "FU5 (data/xanadu/requests.yaml:"),
    ("requests_fit_limit", rule("limits", "requests", without_expansion=60), "55 (the limits say 60)"),
    ("requests_setup_lower", rule("daily_row", lower=6), "5 players: 33 of 30"),
    ("requests_setup_upper", rule("daily_row", upper=6), "5 players: 33 of 30"),
    ("requests_market_never_short", rule("market", upper=26), "5 players: 20 lower, 25 upper"),
    ("resources_card_demand", card("request/FL1", cost=(3, 0, 0)), "computed 161"),
    ("skills_total", rule("skills", standard=5), "computed 35"),
    ("skills_split", card("skill/R1", colour="white"), "red: 3, not 4"),
    ("skills_split", switch("skill_split", "5x6"), "red: 4, not 5"),
    ("skills_named", card("skill/R1", colour="blue"), "misnamed R1 (data/xanadu/skills.yaml:"),
    ("skills_named", card("skill/R4", timing="passive"), "looks for requests, but is passive"),
    ("skills_named", card("skill/W1", cost=1), "has a cost, but is install"),
    ("skills_named", card("skill/P2", optional=None), "has a cost that cannot be refused"),
    ("skills_named", card("skill/W1", effects=()), "does nothing"),
    ("skills_draft_supply", rule("skills", draft=7), "5 players: 35 of 30"),
    ("skill_slots", rule("skills", standard=3), "computed false"),
    ("shares_total", rule("company", shares=11), "computed 55"),
    ("workers_total", rule("company", workers=7), "computed 35"),
    ("workers_setup", rule("start", workers=7), "computed false"),
    ("growth_values", rule("growth", carry=(1, 2, 1)), "growth.carry falls"),
    ("growth_removed", rule("growth", by_round=(1, 1, 1, 1, 1, 0)), "removed: 5, stay: 6"),
    ("growth_worker_earliest", rule("growth", by_round=(2, 1, 1, 2, 2, 0)), "end of round 2 (the limits say 3)"),
    ("growth_worker_earliest", rule(rounds=5), "15 (the limits say 18)"),
    ("growth_states_after_7", rule("growth", opens_worker=("warehouse",)), "with worker"),
    ("growth_states_after_7", rule("growth", by_round=(1, 1, 1, 1, 2, 0)), "6 lids off"),
    ("dispatch_total_twelve", stated("dispatch", 55), "expected 55"),
    ("dispatch_sufficient", rule("start", dispatch=13), "computed false"),
    ("dispatch_reserve", rule("start", dispatch=12), "computed [24, 12, 0]"),
    ("spaces_formula", rule(spaces=({"space": 1, "actions": 1, "normals": 1},), rows=dict.fromkeys(("fulfil", "transport", "upgrade"), (1,))), "space 1: 1 actions, 1 normal"),
    ("resources_total", rule("grades", fine=31), "computed 106"),
    ("resources_agree", card("resource/fine", count=31), "fine (data/xanadu/tokens.yaml:"),
    ("resources_setup", rule("start", goods=(13, 0, 0)), "5 players: 65 of 60"),
    ("vp_tokens_provisional", card("vp/vp-1", count=19), "19 tokens of 1 for 20"),
    ("vp_tokens_provisional", card("vp/vp-30", count=25), "150 VP each could be paid too"),
    ("majority_totals", zone(1, final=(4, 1)), "final 68 (the limits say 64)"),
    ("majority_single_max", zone(3, interim=(6, 3)), "first interim 36 (the limits say 34)"),
    ("variants_settable", variant("N2", sets={"daily_model": "oneshot"}), "it can be hybrid, one_shot, none"),
    ("workers_refresh_guarantee", rule(shortage=(((0, "fulfil"),) * 4,)), "rules.shortage cannot be played: round 1: seat 0 has no worker left"),
    ("majority_totals", zone(3, zone=4), "rules.majority says nothing of zone 3"),
    ("skills_split", without_kind("skill"), "there is no component 'skill'"),
    ("growth_lids", switch("growth_layout", "twelve"), "computed 12, expected 11"),
    ("numbers_stated", rule("daily", cap=4), "computed {daily: {vp: 1, cap: 4}}, expected {daily: {vp: 1, cap: 3}}"),
    ("numbers_proposed", rule("rows", upgrade=(1, 2)), "computed {upgrade: [1, 2]}, expected {upgrade: [1, 2, 3]}"),
    ("skills_numbers", card("skill/R3", cost=2), "computed {costs: [2, 1, 1, 1, 4, 0]}"),
]  # fmt: skip
SETTLED = [
    ("text_no_damage", rule(damaged={"@": 0, "A": 0, "B": 0})),
    ("dispatch_total_exact", switch("dispatch_total", 55)),
    ("dispatch_total_exact", switch("growth_layout", "twelve")),
    ("workers_refresh_guarantee", switch("worker_shortage", "recall")),
    ("workers_refresh_guarantee", rule("company", workers=9)),
    ("resources_normal_worst_case", switch("normal_shortage", "unlimited")),
    ("vp_tokens_stated", stated("vp", 80)),
    ("skills_even_split", rule("skills", standard=5)),
    ("port_complete", card("area_board/port", gauge=4)),
    ("landmark_used", settled("components.company_board.designs.yellow")),
    ("majority_zone1_rises", zone(1, final=(4, 2))),
    ("start_player_fair", switch("start_player", "once_then_lowest_vp_chooses")),
    ("terms_single", rule(double_terms=())),
    ("round_marker_exists", stated("round_track", 1)),
]
MALFORMED = [
    (rule("limits", table=()), limits_of, "rules.limits.table has no row for 3 players"),
    (rule("limits", vp={}), limits_of, "rules.limits.vp.worth is missing"),
    (rule("rows", fulfil=(1, 2, 4)), facts_of, "rules.rows.fulfil has a space 4"),
    (rule("start", goods=(6, 0)), facts_of, "rules.start.goods has no number for each of 3 grades"),
    (rule("growth", limit=(3, 4)), facts_of, "rules.growth.limit ends before lid 2"),
    (rule("growth", opens_worker=("warehous",)), facts_of, "did you mean 'warehouse'?"),
    (rule("growth", opens_worker=()), facts_of, "rules.growth.opens_worker must be a list of texts"),
    (rule(shortage=(((0, "fulfill"),),)), shortage_of, "this is no placement"),
    (rule("requests", worth={"normal": 1}), request_facts_of, "rules.requests.worth.fine is missing"),
    (rule("map", port="p11"), map_of, "rules.map.port is no place"),
    (rule("map", example=("lantern",)), map_of, "rules.map.example must name boards by place"),
    (position("p3", id="p2"), map_of, "a place of the map needs an id of its own, not p2"),
    (position("p3", next="p2"), map_of, "p3 does not say what is next to it"),
    (rule(types="food"), lambda game: names_of(game, "types"), "rules.types must be a list of texts"),
]
