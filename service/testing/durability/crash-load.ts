import { CrashClient } from './crash-client.ts';
import { describeThing } from './stored-state.ts';
import type { State } from './stored-state.ts';

const clientCount = 8;

/**
 * Clients that write to a service over HTTP until it dies, and that remember every response they
 * have read completely. Each client works on its own things, one call at a time. So when the
 * service dies, each has at most one call of which it does not know whether it was executed.
 */
export class CrashLoad {
  /** The state that follows from all acknowledged responses. */
  readonly expected: State = new Map();
  readonly counts = { acknowledged: 0, unanswered: 0, unansweredActed: 0 };
  readonly #clients: CrashClient[] = [];

  /** Creates a key for each client. */
  async prepare(origin: string, rootToken: string): Promise<void> {
    const root = new CrashClient(this.expected, rootToken);
    for (let made = 0; made < clientCount; made += 1) {
      const act = root.acts.createKey();
      const data = await root.perform(origin, act);
      this.#clients.push(new CrashClient(this.expected, data.token));
    }
  }

  /**
   * Lets all clients write. `reached` resolves after this number of acknowledged responses. From
   * then on the service may be killed, after which `ended` resolves.
   */
  begin(origin: string, responses: number): { reached: Promise<void>; ended: Promise<void> } {
    const reached = Promise.withResolvers<void>();
    let acknowledged = 0;
    const onResponse = () => {
      acknowledged += 1;
      this.counts.acknowledged += 1;
      if (acknowledged === responses) reached.resolve();
    };
    const write = async (client: CrashClient) => {
      const reason = await client.write(origin, onResponse);
      if (acknowledged < responses) throw reason;
    };
    const ended = Promise.all(this.#clients.map(write)).then(() => undefined);
    ended.catch(reached.reject);
    return { reached: reached.promise, ended };
  }

  /**
   * Decides from the stored state whether each unanswered call was executed, which may have
   * happened at most once.
   */
  settle(found: State): void {
    for (const client of this.#clients) {
      if (client.inProgress === null) continue;
      this.counts.unanswered += 1;
      if (client.settle(found)) this.counts.unansweredActed += 1;
    }
  }

  /** Every difference between the stored and the expected state. */
  differences(found: State): string[] {
    const ids = new Set([...this.expected.keys(), ...found.keys()]);
    return [...ids].flatMap((id) => {
      const [wanted, is] = [describeThing(this.expected.get(id)), describeThing(found.get(id))];
      return wanted === is ? [] : [`${id} must be ${wanted}, is ${is}`];
    });
  }

  /** The responses of a restarted service that contradict what the clients know. */
  async wrongResponses(origin: string): Promise<string[]> {
    const wrong = await Promise.all(this.#clients.map((client) => client.wrongResponses(origin)));
    return wrong.flat();
  }
}
