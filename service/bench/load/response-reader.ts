/** Finds where each HTTP response on a connection ends, and parses no more than that needs. */
export class ResponseReader {
  #text = '';
  #head: { status: number; length: number | 'chunked'; bodyAt: number } | null = null;

  /** The status of the response that these bytes complete; null if it is not complete yet. */
  read(bytes: Buffer): number | null {
    // One character for each byte, so that lengths match.
    this.#text += bytes.toString('latin1');
    this.#head ??= readHead(this.#text);
    if (!this.#head) return null;
    const { status, length, bodyAt } = this.#head;
    const isWhole =
      length === 'chunked'
        ? this.#text.endsWith('\r\n0\r\n\r\n') || this.#text.startsWith('0\r\n\r\n', bodyAt)
        : this.#text.length >= bodyAt + length;
    if (!isWhole) return null;
    this.#text = '';
    this.#head = null;
    return status;
  }
}

function readHead(
  text: string,
): { status: number; length: number | 'chunked'; bodyAt: number } | null {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = text.slice(0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
  return {
    status: Number(head.slice(9, 12)),
    length: isChunked ? 'chunked' : Number(length ?? 0),
    bodyAt: end + 4,
  };
}
