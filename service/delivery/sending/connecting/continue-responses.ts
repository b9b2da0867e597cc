/**
 * Turns each 100 Continue that precedes a response into a 103. HTTP asks every client to skip
 * interim responses (1xx), even those that it did not ask for (RFC 9110, 15.2). undici skips 103,
 * but destroys the connection at 100. A 101 stays as it is: HTTP ends with it.
 */
export class ContinueResponses {
  #part: 'status' | 'rest of an interim head' | 'final response' = 'status';
  /** What was read of a status line, up to its code. */
  #status = '';
  /** The last characters of the part of a head that was read: its end may be split. */
  #tail = '';

  /** A request was sent: what is read from now on are the heads of its responses. */
  begin(): void {
    this.#part = 'status';
    this.#status = '';
  }

  /** Changes the bytes in place. They may be split anywhere. */
  rename(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && this.#part !== 'final response') {
      at = this.#part === 'status' ? this.#readStatus(bytes, at) : this.#readHead(bytes, at);
    }
  }

  #readStatus(bytes: Buffer, from: number): number {
    const to = from + 'HTTP/1.1 100'.length - this.#status.length;
    // Blank lines before a status line are skipped by parsers too.
    this.#status = (this.#status + bytes.toString('latin1', from, to)).trimStart();
    if (this.#status.length < 'HTTP/1.1 100'.length) return Math.min(to, bytes.length);
    const [, code] = /^HTTP\/1\.\d (1\d\d)$/.exec(this.#status) ?? [];
    if (code === '100') bytes.write('3', to - 1, 'latin1');
    this.#part =
      code === undefined || code === '101' ? 'final response' : 'rest of an interim head';
    this.#tail = '';
    return to;
  }

  #readHead(bytes: Buffer, from: number): number {
    const text = this.#tail + bytes.toString('latin1', from);
    const end = text.indexOf('\r\n\r\n');
    if (end === -1) {
      this.#tail = text.slice(-3);
      return bytes.length;
    }
    const to = from + end + 4 - this.#tail.length;
    this.begin();
    return to;
  }
}
