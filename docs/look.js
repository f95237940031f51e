// Code that scrolls can be focused on phones too, and its buttons are no landmarks: the theme does neither.
const mend = () => {
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) nav.setAttribute("role", "none");
  for (const code of document.querySelectorAll("pre > code:not([tabindex])")) if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
};
new MutationObserver(mend).observe(document.body, { subtree: true, childList: true, attributeFilter: ["tabindex"] });
addEventListener("resize", mend);
mend();
