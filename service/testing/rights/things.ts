import { eq } from 'drizzle-orm';
import { incidents } from '../../db/schema/api-keys/incidents.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import { people } from '../../db/schema/people/people.ts';
import { rotationRequests } from '../../db/schema/api-keys/rotation-requests.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { startIncidentInput } from '#lib/contract/api-keys/incidents/incidents.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { startIncident } from '../../domain/api-keys/incident/start-incident.ts';
import { createInvitation } from '../../domain/people/invitations/create-invitation.ts';
import { updateWebhook } from '../../domain/webhooks/update-webhook.ts';
import { startPasskey } from '../../domain/people/second-factors/passkeys/add-passkey.ts';
import { dataOf, itemsOf } from '../api.ts';
import type { ApiResponse, Resource, TestAccount, TestApi } from '../api.ts';
import type { TestContext } from '../context.ts';
import { askForEmailChange, resetLink } from '../records/links.ts';
import { addAccount, addMember, addPerson } from '../records/people.ts';
import {
  addApp,
  addPasskey,
  addRecoveryCode,
  addUnconfirmedApp,
} from '../records/second-factors.ts';
import { addSession } from '../sessions.ts';
import { SoftwareAuthenticator } from '../software-authenticator.ts';
import { password, provisionerOfAskers } from './askers.ts';
import type { Asker } from './askers.ts';

const window = { since: '2026-11-20T00:00:00Z', status: 'all' };

/** Creates what requests name, new each time, so that only the asker's rights decide. */
export class Things {
  readonly #ctx: TestContext;
  readonly #api: TestApi;
  readonly #account: TestAccount;
  readonly #token: string;
  /** Another owner of the account. */
  readonly colleague: string;

  private constructor(options: {
    ctx: TestContext;
    api: TestApi;
    account: TestAccount;
    token: string;
    colleague: string;
  }) {
    this.#ctx = options.ctx;
    this.#api = options.api;
    this.#account = options.account;
    this.#token = options.token;
    this.colleague = options.colleague;
  }

  static async of(ctx: TestContext, api: TestApi, account: TestAccount): Promise<Things> {
    const { token } = await account.key({ name: 'Makes things' });
    const { personId: colleague } = await account.member('owner');
    return new Things({ ctx, api, account, token, colleague });
  }

  /** Sends a request as the asker, with their credential, from their page. */
  async ask(
    asker: Pick<Asker, 'token' | 'session' | 'accountId'>,
    [method, path, body]: [string, string, unknown?],
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return await this.#api.call(method, path, {
      ...(asker.token !== null && { token: asker.token }),
      headers: {
        'X-Dashboard-Account': asker.accountId,
        ...(asker.session !== null && { 'X-Dashboard-Session': asker.session }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
  }

  async fullKey(): Promise<string> {
    return String((await this.#account.key()).id);
  }

  async botKey(): Promise<string> {
    return String((await this.#account.key({ type: 'bot' })).id);
  }

  async expiringKey(): Promise<string> {
    const expiresAt = new Date(this.#ctx.clock.now().getTime() + dayMs).toISOString();
    return String((await this.#account.key({ expiresAt })).id);
  }

  /** A member whose account requires a second factor in some years. */
  async memberWithoutFactor(): Promise<string> {
    const from = new Date(this.#ctx.clock.now().getTime() + 3650 * dayMs);
    await this.#ctx.db
      .update(accounts)
      .set({ secondFactorRequiredFrom: from })
      .where(eq(accounts.id, this.#account.id));
    return await this.member('viewer');
  }

  /** A key that may do no more than the role support. */
  async smallKey(): Promise<string> {
    const { id } = await this.#account.key({ scopes: ['api-keys:read'] });
    return String(id);
  }

  /** The token of a key that an owner let rotate itself. */
  async selfRotatingKey(): Promise<string> {
    return (await this.#account.key({ mayRotateItself: true })).token;
  }

  /** Rotates a key; returns it with the id of its previous token. */
  async rotated(apiKey: string): Promise<{ apiKey: string; token: string }> {
    await this.#make(`/api/v1/api-keys/${apiKey}/rotate`);
    const path = `/api/v1/api-keys/${apiKey}`;
    const { tokens } = dataOf(await this.#api.call('GET', path, { token: this.#token }));
    return { apiKey, token: String((tokens as { id: number }[])[1]?.id) };
  }

  /** The body that extends the time of an old token. */
  extension(): { valid_until: string } {
    return { valid_until: new Date(this.#ctx.clock.now().getTime() + 2 * dayMs).toISOString() };
  }

  /**
   * A small key whose newest token was shown to the asker, or to an owner if the asker cannot
   * rotate it.
   */
  async shownToken(asker: Asker): Promise<{ apiKey: string; lastFour: string }> {
    const apiKey = await this.smallKey();
    const shown = await this.#makeAs(asker, `/api/v1/api-keys/${apiKey}/rotate`);
    return { apiKey, lastFour: String(shown['token']).slice(-4) };
  }

  /** The same for a webhook and its signing secret. */
  async shownSecret(asker: Asker): Promise<{ webhook: string; lastFour: string }> {
    const webhook = await this.webhook();
    const shown = await this.#makeAs(asker, `/api/v1/webhooks/${webhook}/regenerate-secret`);
    return { webhook, lastFour: String(shown['secret']).slice(-4) };
  }

  /** A webhook with an older secret that still signs. */
  async oldSecret(): Promise<{ webhook: string; secret: string }> {
    const webhook = await this.webhook();
    await this.#make(`/api/v1/webhooks/${webhook}/regenerate-secret`);
    const read = await this.#api.call('GET', `/api/v1/webhooks/${webhook}`, { token: this.#token });
    const { older } = dataOf<{ secret: { older: { uuid: string }[] } }>(read).secret;
    return { webhook, secret: older[0]?.uuid ?? '' };
  }

  async webhook(): Promise<string> {
    return String((await this.#account.webhook()).id);
  }

  async pausedWebhook(): Promise<string> {
    return String((await this.#account.webhook({ isActive: false })).id);
  }

  async delivery(): Promise<string> {
    return String((await this.#make(`/api/v1/webhooks/${await this.webhook()}/test`)).id);
  }

  async replay(): Promise<string> {
    const replay = await this.#make(`/api/v1/webhooks/${await this.webhook()}/replays`, window);
    return String(replay['uuid']);
  }

  async conversation(): Promise<string> {
    return String((await this.#make('/api/v1/conversations', { subject: 'Order' })).id);
  }

  async event(): Promise<string> {
    await this.conversation();
    const [event] = itemsOf(await this.#api.call('GET', '/api/v1/events', { token: this.#token }));
    return String(event?.id);
  }

  /** An event, with the ids of a webhook that is newer, and of one without a subscription to it. */
  async missedEvent(): Promise<{ event: string; later: number; unsubscribed: number }> {
    const event = await this.event();
    const later = await this.#account.webhook({ events: ['conversation.created'] });
    const unsubscribed = await this.#account.webhook({ events: ['message.created'] });
    return { event, later: later.id, unsubscribed: unsubscribed.id };
  }

  /**
   * A report by the asker that the token of a full key leaked, regardless of the asker's role is.
   */
  async requestBy({ personId }: Asker): Promise<string> {
    return await this.#request({ requestedById: personId, memberId: this.colleague });
  }

  /** The same kind of request, with the asker as the member who is asked to rotate the key. */
  async requestTo({ personId }: Asker): Promise<string> {
    return await this.#request({ requestedById: this.colleague, memberId: personId });
  }

  /** The body that begins an incident. An account can have one incident at a time. */
  async incidentBody(): Promise<Record<string, unknown>> {
    const { uuid } = await this.#account.key();
    await this.#ctx.db
      .update(incidents)
      .set({ state: 'done' })
      .where(eq(incidents.accountId, this.#account.id));
    const asked = { act: 'revoke', keys: [uuid] };
    return { ...asked, reason: 'Laptop stolen', confirmation: 'revoke 1 key' };
  }

  /** An incident that is running. */
  async incident(): Promise<string> {
    const body = await this.incidentBody();
    const owner = { ...(await this.#account.member('owner')) };
    return (await startIncident(this.#ctx, owner, startIncidentInput.parse(body))).uuid;
  }

  /** An account that the provisioner among the askers created. */
  async provisionedAccount(): Promise<string> {
    const accountId = await addAccount(this.#ctx);
    const provisionerId = provisionerOfAskers;
    await this.#ctx.db.update(accounts).set({ provisionerId }).where(eq(accounts.id, accountId));
    return accountId;
  }

  async member(
    role: 'owner' | 'viewer',
    options: { email?: string; password?: string } = {},
  ): Promise<string> {
    const { email = this.email(), password: given } = options;
    const hash = given === undefined ? null : await this.#ctx.auth.hashPassword(given);
    const { id: personId } = await addPerson(this.#ctx, {
      email,
      ...(hash !== null && { passwordHash: hash }),
    });
    await addMember(this.#ctx, { accountId: this.#account.id, personId, role });
    return personId;
  }

  email(): string {
    return `${crypto.randomUUID()}@example.com`;
  }

  async invitation(): Promise<string> {
    return (await this.#invite(this.#account, this.email())).uuid;
  }

  /** The token of an invitation for a new person. */
  async invitationLink(): Promise<string> {
    return (await this.#invite(this.#account, this.email())).token;
  }

  /** The token of an invitation of the asker to another account. */
  async invitationOf({ email }: Asker): Promise<string> {
    // An address can have only one invitation to an account at a time.
    const elsewhere = await this.#api.account();
    return (await this.#invite(elsewhere, email)).token;
  }

  /** Makes the asker someone whose address was never verified, so that joining needs a password. */
  async unverify({ personId }: Asker): Promise<void> {
    await this.#ctx.db.update(people).set({ isUnverified: true }).where(eq(people.id, personId));
  }

  /** Another session of the asker. */
  async session({ personId }: Asker): Promise<string> {
    return await addSession(this.#ctx, { personId });
  }

  async passkey({ personId }: Asker): Promise<string> {
    return await addPasskey(this.#ctx, personId);
  }

  async app({ personId, email }: Asker): Promise<void> {
    await addApp(this.#ctx, { personId, email });
  }

  /** The response of a browser that created a passkey for the asker. */
  async newPasskey(asker: Asker): Promise<unknown> {
    const options = await startPasskey(this.#ctx, await this.#actor(asker), asker.session ?? '');
    const { origin } = this.#ctx.config.publicUrl;
    return new SoftwareAuthenticator().create({ options, origin });
  }

  /** A code of an authenticator app that the asker has not confirmed yet. */
  async appCode(asker: Asker): Promise<string> {
    return (await addUnconfirmedApp(this.#ctx, asker)).code();
  }

  /** A sign-in of a person with a second factor, after the password. */
  async pendingSignIn(): Promise<{ pending_token: string; recovery_code: string }> {
    const email = this.email();
    const personId = await this.member('viewer', { email, password });
    await addPasskey(this.#ctx, personId);
    const body = { email, password };
    const signedIn = await this.#api.asNobody().post('/api/dashboard/session', body);
    return {
      pending_token: String(dataOf(signedIn)['pending_token']),
      recovery_code: await addRecoveryCode(this.#ctx, personId),
    };
  }

  async resetLink(): Promise<{ reset_token: string }> {
    return await resetLink(this.#ctx);
  }

  async emailChange(): Promise<{ confirmToken: string; revokeToken: string }> {
    return await askForEmailChange(this.#ctx, this.#account);
  }

  /** The token of a link that confirms the contact of a webhook. */
  async contactLink(): Promise<string> {
    const email = `${crypto.randomUUID()}@example.com`;
    const { id } = await this.#account.webhook();
    const owner = await this.#account.member('owner');
    await updateWebhook(this.#ctx, owner, { webhook: String(id), contact_email: email });
    const mail = this.#ctx.mails.find(({ to }) => to === email);
    return mail?.action.url.split('#')[1] ?? '';
  }

  async #actor({ personId, email }: Asker): Promise<PersonActor> {
    return { ...(await this.#account.member('viewer')), personId, email };
  }

  async #invite(to: TestAccount, email: string): Promise<{ uuid: string; token: string }> {
    const owner = await to.member('owner');
    const { uuid, link } = await createInvitation(this.#ctx, owner, { email, role: 'viewer' });
    return { uuid, token: link?.split('#')[1] ?? '' };
  }

  async #request(options: { requestedById: string; memberId: string }): Promise<string> {
    const uuid = crypto.randomUUID();
    const createdAt = this.#ctx.clock.now();
    await this.#ctx.db.insert(rotationRequests).values({
      ...options,
      uuid,
      apiKeyId: (await this.#account.key()).id,
      accountId: this.#account.id,
      act: 'rotate',
      reason: 'leaked',
      state: 'open',
      createdAt,
      expiresAt: new Date(createdAt.getTime() + hourMs),
    });
    return uuid;
  }

  async #make(path: string, body: unknown = {}): Promise<Resource> {
    return dataOf(await this.#api.call('POST', path, { token: this.#token, body }));
  }

  async #makeAs(asker: Asker, path: string): Promise<Resource> {
    // In a session with a fresh proof.
    const session = asker.session && asker.personId;
    const response = await this.ask({ ...asker, session }, ['POST', path, {}]);
    return response.status < 300 ? dataOf(response) : await this.#make(path);
  }
}
