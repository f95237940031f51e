// What is shown becomes what is to be shown: what both have stays as it is, so that little is laid out and painted anew.

const NOTED = ["piece", "zone", "zoneName", "under", "area"];       // what the table's parts know of themselves

const getKey = (node) => node.nodeType === Node.ELEMENT_NODE
  ? [node.tagName, node.dataset.key, node.dataset.place, node.dataset.seat, node.dataset.zone].join("|") : node.nodeName;

/** Make an element the same as `next`, which is used up. Children are found again by what they stand for. */
export function become(now, next) {
  if (now.nodeType !== Node.ELEMENT_NODE) {
    if (now.nodeValue !== next.nodeValue) now.nodeValue = next.nodeValue;
    return;
  }
  for (const { name } of [...now.attributes]) if (!next.hasAttribute(name)) now.removeAttribute(name);
  for (const { name, value } of next.attributes) {
    if (now.getAttribute(name) === value) continue;
    if (name === "style") now.style.cssText = next.style.cssText;       // the page's own law lets nobody write the attribute
    else now.setAttribute(name, value);
  }
  for (const name of NOTED) now[name] = next[name];
  fill(now, next.childNodes);
}

/** Give an element these children. */
export function fill(root, children) {
  const known = new Map();
  for (const child of root.childNodes) {
    const name = getKey(child);
    if (!known.has(name)) known.set(name, []);
    known.get(name).push(child);
  }
  let at = root.firstChild;
  for (const child of [...children]) {
    const same = known.get(getKey(child))?.shift();
    if (same) become(same, child);
    const here = same ?? child;
    if (here === at) at = at.nextSibling;
    else root.insertBefore(here, at);
  }
  for (const child of [...known.values()].flat()) child.remove();
}
