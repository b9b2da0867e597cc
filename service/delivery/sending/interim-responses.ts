import type { ReceivedHeaders } from './kept-headers.ts';

const maxResponses = 16;
const maxHeaderBytes = 65_536;

/**
 * Counts the interim responses (1xx) before a final response. HTTP allows any number (RFC 9110,
 * 15.2).
 */
export class InterimResponses {
  #count = 0;
  #headerBytes = 0;

  get any(): boolean {
    return this.#count > 0;
  }

  /** Counts an interim response; returns false if a limit is exceeded. */
  add(headers: ReceivedHeaders): boolean {
    this.#count += 1;
    for (const [name, value] of Object.entries(headers)) {
      this.#headerBytes += name.length + String(value).length;
    }
    return this.#count <= maxResponses && this.#headerBytes <= maxHeaderBytes;
  }
}
