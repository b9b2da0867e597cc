import type { ChildProcess } from 'node:child_process';

/** Settings that a test can change while the service runs. */
export type ChangeableSettings = {
  logLevel?: string;
  webhookAllowHttp?: boolean;
  rotationGraceSeconds?: number;
};

/**
 * What tests, and only tests, may do to a service that they started: the commands are those of
 * `service/control/`, and sent over the channel between the two processes.
 */
export type Control = {
  /**
   * Creates an account and its owner, who may exist already; with a token, also its first API key.
   * Returns the account's id.
   */
  addAccount(input: {
    name: string;
    email: string;
    password: string;
    token?: string;
  }): Promise<string>;
  /** Makes a person a member of an account, or changes their role. */
  addMember(input: {
    accountId: string;
    email: string;
    password: string;
    role: string;
  }): Promise<void>;
  /** Makes a new person who supports every account that allows it. */
  addSupporter(input: { email: string; password: string }): Promise<void>;
  /** Creates this many accounts with keys, webhooks and people, with the marker in their names. */
  addManyAccounts(input: { count: number; marker: string }): Promise<void>;
  /** Adds revoked keys to an account; the first was revoked longest ago. */
  addRevokedKeys(input: { accountId: string; names: readonly string[] }): Promise<void>;
  /** Adds active keys to an account; the last is the newest. Each has this many valid tokens. */
  addActiveKeys(input: {
    accountId: string;
    names: readonly string[];
    tokensEach: number;
  }): Promise<void>;
  /** Sets an account's own quotas; null: those of the service again. */
  setQuotas(input: {
    accountId: string;
    maxKeys?: number | null;
    maxWebhooks?: number | null;
  }): Promise<void>;
  /** Opens a session as if this person had signed in just now. */
  openSession(input: { email: string }): Promise<OpenedSession>;
  /** The emails to this address, newest first, of a service without a mail server. */
  listMails(input: { to: string }): Promise<Mail[]>;
  /** Moves the service's clock ahead. */
  moveClock(input: { ms: number }): Promise<void>;
  /** From now on the account requires a second factor. */
  requireSecondFactor(input: { accountId: string }): Promise<void>;
  change(settings: ChangeableSettings): Promise<void>;
  /** Counts calls of this person until the service refuses more in this minute. */
  useUpCalls(input: { email: string }): Promise<void>;
  /** Forgets all calls and attempts that were counted, and undoes `moveClock` and `change`. */
  reset(input: Record<string, never>): Promise<void>;
};

export type Mail = { subject: string; text: string };

/** The cookies that a browser keeps after a sign-in. */
export type OpenedSession = { sessionToken: string; deviceToken: string };

export type CommandName = keyof Control;

/** A command as it is sent to the service. */
export type Command = { id: number; command: CommandName; input: object };

/** The result of the command, or why it failed. */
export type CommandResult = { id: number; result?: unknown; failure?: string };

/** The commands of a service that was started with `preload.ts`. */
export function controlOf(service: ChildProcess): Control {
  let latest = 0;
  const waiting = new Map<
    number,
    { resolve: (result: unknown) => void; reject: (error: Error) => void }
  >();
  service.on('message', ({ id, result, failure }: CommandResult) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (failure === undefined) resolve?.(result);
    else reject?.(new Error(failure));
  });
  service.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the service ended'));
  });

  const send =
    (command: CommandName) =>
    async (input: object): Promise<unknown> => {
      latest += 1;
      const id = latest;
      return await new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        service.send({ id, command, input } satisfies Command);
      });
    };
  return {
    addAccount: send('addAccount'),
    addMember: send('addMember'),
    addSupporter: send('addSupporter'),
    addManyAccounts: send('addManyAccounts'),
    addRevokedKeys: send('addRevokedKeys'),
    addActiveKeys: send('addActiveKeys'),
    setQuotas: send('setQuotas'),
    requireSecondFactor: send('requireSecondFactor'),
    openSession: send('openSession'),
    listMails: send('listMails'),
    moveClock: send('moveClock'),
    change: send('change'),
    useUpCalls: send('useUpCalls'),
    reset: send('reset'),
  } satisfies Record<CommandName, unknown> as Control;
}
