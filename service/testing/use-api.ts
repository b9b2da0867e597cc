import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Role } from '#lib/contract/rights/roles.ts';
import { newKey, newMember, TestAccount, TestApi } from './api.ts';
import type { KeyOptions, TestKey, TestMember } from './api.ts';
import { createTestContext } from './context.ts';
import type { ContextOptions, TestContext } from './context.ts';

/**
 * The context of the suite that calls this: it can be passed on before the suite begins, and has
 * contents from its first hook on.
 * @param options.contextFor 'test': another context, with a database of its own, for each test
 */
export function useContext({
  contextFor = 'file',
  ...options
}: ContextOptions & { contextFor?: 'file' | 'test' } = {}): TestContext {
  const ctx = {} as TestContext;
  const [begin, end] = contextFor === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  begin(async () => {
    Object.assign(ctx, await createTestContext(options));
  });
  end(() => ctx.dispose());
  return ctx;
}

export type ApiFixture = {
  readonly ctx: TestContext;
  readonly api: TestApi;
  /** An account with its owner. */
  readonly account: TestAccount;
  readonly owner: TestMember;
  readonly admin: TestMember;
  readonly support: TestMember;
  readonly viewer: TestMember;
  /** A key of the account. */
  readonly caller: TestKey;
};

/**
 * A service for the suite that calls this, with an account. Take from it what the suite needs: a
 * member who is not taken does not exist, and neither does the key. Everything keeps its identity,
 * so that it can be passed on before the suite begins, and has contents from its first hook on.
 * @param options.accountFor 'test': another account, with other members and another key, for each
 * test
 * @param options.caller the key; a full one if left out
 */
export function useApi({
  accountFor = 'file',
  caller: key,
  ...options
}: ContextOptions & { accountFor?: 'file' | 'test'; caller?: KeyOptions } = {}): ApiFixture {
  const ctx = useContext(options);
  const api = new TestApi(ctx);
  const account = new TestAccount(api);
  const parts: [part: object, make: () => Promise<object>][] = [[account, () => api.account()]];
  const begin = accountFor === 'test' ? beforeEach : beforeAll;
  begin(async () => {
    for (const [part, make] of parts) Object.assign(part, await make());
  });

  function add<Part extends object>(part: Part, make: () => Promise<Part>): Part {
    parts.push([part, make]);
    return part;
  }
  const member = (role: Role) => add(newMember(api), () => account.member(role));
  return {
    ctx,
    api,
    account,
    get owner() {
      return member('owner');
    },
    get admin() {
      return member('admin');
    },
    get support() {
      return member('support');
    },
    get viewer() {
      return member('viewer');
    },
    get caller() {
      return add(newKey(api), () => account.key(key));
    },
  };
}
