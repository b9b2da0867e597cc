/** How a path names a resource: by its integer id or by its UUID. */
export type ResourceReference = { kind: 'id'; id: number } | { kind: 'uuid'; uuid: string };

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const largestId = 2_147_483_647;

/** Reads a path parameter; null when it can name nothing, which callers answer with 404. */
export function parseResourceReference(text: string): ResourceReference | null {
  if (uuidShape.test(text)) return { kind: 'uuid', uuid: text.toLowerCase() };
  if (!/^[1-9]\d{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= largestId ? { kind: 'id', id } : null;
}
