import { checkTarget, type TargetRules } from '#service/domain/webhooks/target/check-target.ts';

/** Where an attempt goes, or why it may not be made. */
type Target =
  | { problem: string }
  | {
      problem: null;
      origin: string;
      hostname: string;
      /** What the request and TLS call it: without the dot that a name may end with. */
      host: string;
      path: string;
    };

const maxKept = 10_000;

/**
 * Parses and checks the URLs of webhooks. Results are cached, because they depend only on the URL
 * and the settings, and because a check takes time. Every IP address is checked again when it is
 * dialed.
 */
export class Targets {
  readonly #rules: TargetRules;
  readonly #known = new Map<string, Target>();

  constructor(rules: TargetRules) {
    this.#rules = rules;
  }

  of(url: string): Target {
    const known = this.#known.get(url);
    if (known) return known;
    const target = this.#check(url);
    this.#known.set(url, target);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKept && oldest !== undefined) this.#known.delete(oldest);
    return target;
  }

  #check(text: string): Target {
    const { problem } = checkTarget(text, this.#rules);
    if (problem !== undefined) return { problem };
    const url = new URL(text);
    const { origin, pathname, search } = url;
    // A name looked up with the dot is complete. Servers know their names without it (RFC 6066, 3).
    url.hostname = url.hostname.replace(/\.$/, '');
    const { hostname, host } = url;
    return { problem: null, origin, hostname, host, path: `${pathname}${search}` };
  }
}
