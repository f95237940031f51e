// Code and tables that scroll can be focused on phones too, and its buttons are no landmarks: the theme does neither.
const mend = () => {
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) nav.setAttribute("role", "none");
  for (const box of document.querySelectorAll(":is(pre > code, .md-typeset table):not([tabindex])")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
};
new MutationObserver(mend).observe(document.body, { subtree: true, childList: true, attributeFilter: ["tabindex"] });
addEventListener("resize", mend);
mend();
