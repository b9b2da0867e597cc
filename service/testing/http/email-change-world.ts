import { and, eq } from 'drizzle-orm';
import { beforeEach, expect } from 'vitest';
import { auditEntries } from '../../db/schema/audit.ts';
import { people } from '../../db/schema/people/people.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { dataOf, TestApi } from '../api.ts';
import type { ApiResponse, Resource, TestClient } from '../api.ts';
import type { TestContext } from '../context.ts';
import { addAccount, addMember } from '../records/people.ts';
import type { RecordedMail } from '../recording-mailer.ts';
import { useContext } from '../use-api.ts';
import { password, TestPerson, tokenIn } from './test-person.ts';

export type SignedIn = { id: string; email: string; session: string };

export const chosen = 'a staple that nobody knows';

/** The details of the response about a link to confirm that is used up or void. */
export const spentConfirmation = {
  confirm_token: ['This link is no longer valid. Request the change again on your profile page.'],
};
/** The same about a link to undo a change. */
export const spentRevocation = {
  revoke_token: [
    'This link is no longer valid. If someone else uses your sign-in, ask your administrator for help.',
  ],
};

/** The world of a suite, with another Ann for each test. */
export function useEmailChanges(engine?: OpenDatabase['engine']) {
  const config = { smtpUrl: 'smtp://mail.example.com' };
  const ctx = useContext({ config, ...(engine && { engine }) });
  const world = new EmailChangeWorld(ctx);
  beforeEach(() => world.begin());
  return { ctx, world };
}

/**
 * Ann, a member of two accounts, who changes her email, and two services: with a mail server and
 * without one.
 */
class EmailChangeWorld {
  readonly ctx: TestContext;
  readonly api: TestApi;
  accountIds: AccountId[] = [];
  ann: SignedIn = { id: '', email: '', session: '' };
  #mailless: TestApi | undefined;

  constructor(ctx: TestContext) {
    this.ctx = ctx;
    this.api = new TestApi(ctx);
  }

  get mailless(): TestApi {
    const config = { ...this.ctx.config, smtpUrl: null };
    this.#mailless ??= new TestApi({ ...this.ctx, config });
    return this.#mailless;
  }

  /** Begins again with another Ann in other accounts. */
  async begin(): Promise<void> {
    this.ctx.forgetRecords();
    this.accountIds = [await addAccount(this.ctx), await addAccount(this.ctx, 'Elsewhere')];
    this.ann = await this.addSignedIn();
  }

  /** Another member of the accounts. */
  async addSignedIn(): Promise<SignedIn> {
    const person = await TestPerson.add(this.ctx, { name: 'Ann' });
    for (const accountId of this.accountIds) {
      await addMember(this.ctx, { accountId, personId: person.id, role: 'viewer' });
    }
    return person.in(await person.openSession());
  }

  async openSession(email: string, given = password): Promise<string> {
    return tokenIn(await this.signIn(email, given));
  }

  as({ session }: Pick<SignedIn, 'session'>, on = this.api): TestClient {
    return on.as({ personId: session });
  }

  async signIn(email: string, given = password): Promise<ApiResponse> {
    return await new TestPerson(this.ctx, { id: '', email }).signIn({ password: given });
  }

  async ask(email: string, by = this.ann, on = this.api): Promise<ApiResponse> {
    return await this.as(by, on).post('/api/dashboard/email-change', { email });
  }

  async cancel(): Promise<ApiResponse> {
    return await this.as(this.ann).delete('/api/dashboard/email-change');
  }

  async checkConfirmation(token: string): Promise<ApiResponse> {
    const body = { confirm_token: token };
    return await this.api.asNobody().post('/api/dashboard/email-change/confirmation/check', body);
  }

  async confirm(token: string): Promise<ApiResponse> {
    const body = { confirm_token: token };
    return await this.api.asNobody().post('/api/dashboard/email-change/confirmation', body);
  }

  async checkRevocation(token: string): Promise<ApiResponse> {
    const body = { revoke_token: token };
    return await this.api.asNobody().post('/api/dashboard/email-change/revocation/check', body);
  }

  async revoke(token: string): Promise<ApiResponse> {
    const body = { revoke_token: token };
    return await this.api.asNobody().post('/api/dashboard/email-change/revocation', body);
  }

  async choosePassword(token: unknown): Promise<ApiResponse> {
    const body = { reset_token: token, new_password: chosen };
    return await this.api.asNobody().post('/api/dashboard/password-reset/finish', body);
  }

  async changePassword(): Promise<void> {
    const body = { current_password: password, new_password: chosen };
    const response = await this.as(this.ann).post('/api/dashboard/password', body);
    const { session_token: session } = dataOf<{ session_token: string }>(response);
    this.ann = { ...this.ann, session };
  }

  /** What Ann's profile page shows of her change. */
  async shown(): Promise<Resource> {
    return dataOf(await this.as(this.ann).get('/api/dashboard/email-change'));
  }

  /** Without the emails about sign-ins. */
  mailsTo(address: string): RecordedMail[] {
    return this.ctx.mails.filter(
      ({ to, subject }) => to === address && !subject.startsWith('New sign-in'),
    );
  }

  /** The token of the newest link to a page that was emailed to an address. */
  mailedToken(address: string, page: 'confirm-email' | 'revoke-email-change'): string {
    const link = new RegExp(`/${page}#([\\w-]{43})`);
    const tokens = this.mailsTo(address).flatMap(({ text }) => link.exec(text)?.[1] ?? []);
    return tokens.at(-1) ?? '';
  }

  /** Asks for a change; returns the tokens of both links. */
  async asked(email = newAddress(), by = this.ann) {
    expect((await this.ask(email, by)).status).toBe(201);
    return {
      email,
      confirmToken: this.mailedToken(email, 'confirm-email'),
      revokeToken: this.mailedToken(by.email, 'revoke-email-change'),
    };
  }

  /** The same of a change that was confirmed. */
  async changed() {
    const links = await this.asked();
    expect(dataOf(await this.confirm(links.confirmToken))).toEqual({ email: links.email });
    return links;
  }

  async emailOf(personId: string): Promise<string | undefined> {
    const [row] = await this.ctx.db.select().from(people).where(eq(people.id, personId));
    return row?.email;
  }

  /** What Ann did, in the audit log of both accounts. */
  async audited(action: string) {
    const isAnn = eq(auditEntries.actor, { kind: 'person', id: this.ann.id, name: 'Ann' });
    return await this.ctx.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.action, action), isAnn));
  }
}

export function newAddress(): string {
  return `${crypto.randomUUID()}@example.com`;
}
