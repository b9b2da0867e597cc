import { readFileSync } from 'node:fs';
import { readFile, unlink, utimes } from 'node:fs/promises';
import { errorCode } from '../../error-code.ts';
import type { Logger } from '../../log/log.ts';

/** How often a holder records a heartbeat, and how long a process elsewhere is watched for one. */
export type LockPace = { heartbeatMs: number; watchMs: number };

/** The lock of a data folder, which another process may take over while this one is stopped. */
export class HeldLock {
  readonly #path: string;
  readonly #text: string;
  readonly #log: Logger;
  readonly #pace: LockPace;
  readonly #loss = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;
  #lastHeartbeat = performance.now();

  /** @param file.text the text that this process has written into the lock file */
  constructor(file: { path: string; text: string }, pace: LockPace, log: Logger) {
    this.#path = file.path;
    this.#text = file.text;
    this.#log = log;
    this.#pace = pace;
    this.#heartbeat = setInterval(() => void this.#recordHeartbeat(), pace.heartbeatMs);
    this.#heartbeat.unref();
  }

  /** Aborted when the lock file is found to be gone, or to be that of another process. */
  get lost(): AbortSignal {
    return this.#loss.signal;
  }

  /**
   * Reads the lock file if this process was silent for so long that another one may have taken the
   * lock over. It does not return before that is known, because the caller is about to write.
   */
  checkAfterSilence(): void {
    if (performance.now() - this.#lastHeartbeat > this.#pace.watchMs) this.check();
  }

  check(): void {
    try {
      this.#compare(readFileSync(this.#path, 'utf8'));
    } catch (error) {
      this.#noteFailure(error);
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    const current = await readFile(this.#path, 'utf8').catch(() => null);
    if (current === this.#text) await unlink(this.#path);
  }

  async #recordHeartbeat(): Promise<void> {
    // Before the file is read, because the process may be stopped between the two.
    const startedAt = performance.now();
    try {
      this.#compare(await readFile(this.#path, 'utf8'));
      if (this.lost.aborted) return;
      const now = new Date();
      await utimes(this.#path, now, now);
      this.#lastHeartbeat = startedAt;
    } catch (error) {
      this.#noteFailure(error);
    }
  }

  #compare(current: string): void {
    if (current !== this.#text) this.#lose();
  }

  #noteFailure(error: unknown): void {
    if (errorCode(error) === 'ENOENT') this.#lose();
    else this.#log.error({ err: error, path: this.#path }, 'the lock could not be checked');
  }

  #lose(): void {
    clearInterval(this.#heartbeat);
    this.#loss.abort();
  }
}
