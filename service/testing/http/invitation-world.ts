import { and, eq } from 'drizzle-orm';
import { beforeEach } from 'vitest';
import type { Role } from '#lib/contract/rights/roles.ts';
import { hourMs } from '#lib/durations.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { members } from '../../db/schema/people/members.ts';
import { people } from '../../db/schema/people/people.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { dataOf, itemsOf, TestApi } from '../api.ts';
import type { ApiResponse, Resource, TestClient } from '../api.ts';
import type { TestContext } from '../context.ts';
import { addAccount } from '../records/people.ts';
import { useContext } from '../use-api.ts';
import { password, TestPerson, tokenIn } from './test-person.ts';

export type SignedIn = { id: string; email: string; session: string };

export const another = 'a staple that nobody knows';

/** The details of the response about a link that is used up or void. */
export const spent = {
  invitation_token: [
    'This invitation is no longer valid. Ask the person who invited you for a new one.',
  ],
};

/** The world of a suite, with another account for each test, whose owner and admin are signed in. */
export function useInvitations() {
  const ctx = useContext({ config: { smtpUrl: 'smtp://mail.example.com' } });
  const world = new InvitationWorld(ctx);
  const owner: SignedIn = { id: '', email: '', session: '' };
  const admin = { ...owner };
  beforeEach(async () => {
    const added = await world.addAccount();
    Object.assign(owner, added.owner);
    Object.assign(admin, added.admin);
  });
  return { ctx, world, owner, admin };
}

/** An account whose members invite people, and two services: with a mail server and without one. */
class InvitationWorld {
  readonly ctx: TestContext;
  readonly mailing: TestApi;
  accountId = '' as AccountId;
  #copying: TestApi | undefined;

  constructor(ctx: TestContext) {
    this.ctx = ctx;
    this.mailing = new TestApi(ctx);
  }

  get copying(): TestApi {
    const config = { ...this.ctx.config, smtpUrl: null };
    this.#copying ??= new TestApi({ ...this.ctx, config });
    return this.#copying;
  }

  /** Adds the account that the calls are about from now on, with an owner and an admin. */
  async addAccount(): Promise<{ owner: SignedIn; admin: SignedIn }> {
    this.ctx.clock.advance(hourMs);
    this.accountId = await addAccount(this.ctx, 'Marlow & Finch');
    return { owner: await this.addSignedIn('owner'), admin: await this.addSignedIn('admin') };
  }

  async addSignedIn(role: Role, accountId = this.accountId): Promise<SignedIn> {
    return await TestPerson.signedIn(this.ctx, { accountId, role, name: `Ida ${role}` });
  }

  async signIn(email: string, given?: string): Promise<string> {
    return tokenIn(await this.tryToSignIn(email, given));
  }

  async tryToSignIn(email: string, given = password): Promise<ApiResponse> {
    return await new TestPerson(this.ctx, { id: '', email }).signIn({ password: given });
  }

  as({ session }: Pick<SignedIn, 'session'>, api = this.mailing): TestClient {
    return api.as({ personId: session });
  }

  async invite(
    by: SignedIn,
    {
      email = newAddress(),
      role = 'viewer',
      api = this.mailing,
      ...rest
    }: { email?: string; role?: string; api?: TestApi; support_tokens?: string } = {},
  ): Promise<ApiResponse> {
    return await this.as(by, api).post('/api/dashboard/invitations', { email, role, ...rest });
  }

  async list(by: SignedIn): Promise<Resource[]> {
    return itemsOf(await this.as(by).get('/api/dashboard/invitations'));
  }

  async check(token: string): Promise<ApiResponse> {
    const body = { invitation_token: token };
    return await this.mailing.asNobody().post('/api/dashboard/invitations/check', body);
  }

  async accept(token: string, options: object = {}): Promise<ApiResponse> {
    const body = { invitation_token: token, name: 'Mika Sato', password: another, ...options };
    return await this.mailing.asNobody().post('/api/dashboard/invitations/accept', body);
  }

  async join(
    person: Pick<SignedIn, 'session'>,
    token: string,
    options: object = {},
  ): Promise<ApiResponse> {
    const body = { invitation_token: token, ...options };
    return await this.as(person).post('/api/dashboard/invitations/join', body);
  }

  /** The token of the last link that was emailed to an address. */
  mailedToken(email: string): string {
    const mail = this.ctx.mails.findLast(({ to }) => to === email);
    return /\/invitation#([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
  }

  async roleOf(email: string, accountId = this.accountId): Promise<Role | undefined> {
    const [row] = await this.ctx.db
      .select({ role: members.role })
      .from(members)
      .innerJoin(people, eq(people.id, members.personId))
      .where(and(eq(people.email, email), eq(members.accountId, accountId)));
    return row?.role;
  }

  async audited(action: string) {
    return await this.ctx.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.accountId, this.accountId), eq(auditEntries.action, action)));
  }
}

export function newAddress(): string {
  return `${crypto.randomUUID()}@example.com`;
}

/** The token of the link that a service without a mail server shows. */
export function linkedToken(response: ApiResponse): string {
  return dataOf<{ link: string }>(response).link.split('#')[1] ?? '';
}
