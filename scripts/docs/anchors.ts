/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(document: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(document).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = anchorOf(heading);
    let [unique, count] = [anchor, 0];
    while (anchors.has(unique)) unique = `${anchor}-${++count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** A document without its blocks of code, in which a line may begin with # or look like a link. */
export function withoutCode(document: string): string {
  return document.replaceAll(/^( *)```.*\n(?:.*\n)*?\1```$/gm, '');
}

/** The anchor of the first heading with this text. */
export function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}
