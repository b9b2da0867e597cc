/**
 * Lets React work on a page while a translator changes it. Translators put a `font` element in the
 * place of a text node; some move the node into it, others leave it out of the page. React still
 * removes that node, inserts elements before it, and changes its text. The first two would throw,
 * and the page would be lost; the third would have no effect.
 *
 * Call it once, before React renders.
 */
export function surviveTranslation(): void {
  const translations = new WeakMap<Node, Element>();
  const observer = new MutationObserver(noteChanges);
  observer.observe(document, { childList: true, subtree: true });

  function noteChanges(changes: readonly MutationRecord[]) {
    for (const change of changes) {
      if (change.type === 'characterData') showInstead(change.target);
      else for (const removed of change.removedNodes) noteTranslation(removed, change);
    }
  }

  function noteTranslation(removed: Node, change: MutationRecord) {
    if (!(removed instanceof Text) || removed.isConnected) return;
    const beside = [...change.addedNodes, change.previousSibling, change.nextSibling];
    const translation = beside.find((node) => node instanceof HTMLFontElement);
    if (translation === undefined) return;
    translations.set(removed, translation);
    observer.observe(removed, { characterData: true });
  }

  /** React changed a text whose translation is in the page: that is no longer true. */
  function showInstead(text: Node) {
    const translation = translations.get(text);
    if (translation?.isConnected && !text.isConnected) translation.replaceWith(text);
  }

  /** What is in the page in place of a node that React left in this parent. */
  function inPlaceOf(node: Node, parent: Node): Node | undefined {
    noteChanges(observer.takeRecords());
    let inPlace: Node | null | undefined = node.parentNode === null ? translations.get(node) : node;
    while (inPlace && inPlace.parentNode !== parent) inPlace = inPlace.parentNode;
    return inPlace ?? undefined;
  }

  // oxlint-disable-next-line typescript/unbound-method -- each is called with its node below
  const { insertBefore, removeChild } = Node.prototype;

  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const inPlace = child.parentNode === this ? child : inPlaceOf(child, this);
    // Throws as the browser does if it is another element that is missing.
    if (inPlace !== undefined || !(child instanceof Text)) removeChild.call(this, inPlace ?? child);
    return child;
  };

  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    child: Child,
    next: Node | null,
  ): Child {
    const isMissing = next !== null && next.parentNode !== this;
    const inPlace = isMissing ? inPlaceOf(next, this) : next;
    const place = inPlace ?? (next instanceof Text ? null : next);
    insertBefore.call(this, child, place);
    return child;
  };
}
