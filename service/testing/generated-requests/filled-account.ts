import { restoreAccount } from '../../domain/people/accounts/delete-account.ts';
import { updateAccount } from '../../domain/people/accounts/account.ts';
import { eq } from 'drizzle-orm';
import type { PendingSignIn } from '#lib/contract/people/second-factors.ts';
import { passkeys } from '../../db/schema/people/second-factors.ts';
import { startPasskey } from '../../domain/people/second-factors/passkeys/add-passkey.ts';
import { signIn } from '../../domain/people/sign-in/sign-in.ts';
import { addPasskey, addRecoveryCode } from '../records/second-factors.ts';
import { SoftwareAuthenticator } from '../software-authenticator.ts';
import { cancelIncident } from '../../domain/api-keys/incident/cancel-incident.ts';
import { startIncident } from '../../domain/api-keys/incident/start-incident.ts';
import { createInvitation } from '../../domain/people/invitations/create-invitation.ts';
import { requestRotation } from '../../domain/rotation-requests/request-rotation.ts';
import { dataOf, itemsOf } from '../api.ts';
import type { Resource, TestAccount, TestApi } from '../api.ts';
import type { TestContext } from '../context.ts';
import { addMember, addPerson } from '../records/people.ts';
import type { GeneratedRequest } from './generated-requests.ts';
import { rememberNames } from './known-names.ts';
import { askForEmailChange, resetLink } from './links.ts';
import type { KnownNames } from './known-names.ts';
import type { MemberUnderTest } from './member-under-test.ts';

export type FilledAccount = {
  names: KnownNames;
  tokens: Readonly<Record<GeneratedRequest['caller'], string | undefined>> & { key: string };
  /**
   * Bodies for operations that must name existing things; for others, the examples in the contract
   * are valid.
   */
  rightBodies: ReadonlyMap<string, unknown>;
  /** Undoes changes to the account itself. */
  restore(): Promise<void>;
};

/** The settings of a new account. */
const settings = {
  name: 'Marlow & Finch',
  second_factor_required_from: null,
  session_hours: 168,
} as const;

const ofEachKind = 3;
/** Before the time at which the clock of tests starts. */
const since = '2026-11-19T12:00:00Z';

/** Creates an account in which every operation finds several things to act on. */
export async function fillAccount(
  ctx: TestContext,
  api: TestApi,
  member: MemberUnderTest,
): Promise<FilledAccount> {
  const account = await api.account();
  const owner = await account.member('owner');
  await member.join(account);
  const { token: key } = await account.key({ name: 'Caller' });
  const filler = new AccountFiller(api, account, key);

  for (let made = 0; made < ofEachKind; made += 1) {
    await filler.withKeys();
    await filler.withDeliveries();
    await filler.withRotationRequests(ctx, member);
    await filler.withColleague(ctx);
    await filler.withInvitation(ctx);
  }
  await filler.withEvents();
  const unconfirmed = await filler.withUnconfirmed(member);
  const incidents = await filler.withIncident(ctx);
  const invitations = await filler.withInvitationLinks(ctx, member);
  const resets = [
    ['openLink', { kind: 'password_reset', token: (await resetLink(ctx)).reset_token }],
    ['checkPasswordReset', await resetLink(ctx)],
    [
      'finishPasswordReset',
      { ...(await resetLink(ctx)), new_password: 'Ada and her next password' },
    ],
  ] as const;
  const factors = await filler.withSecondFactors(ctx, member);
  rememberNames(filler.names, 'session', { session: member.otherSessionId });

  return {
    names: filler.names,
    tokens: {
      key,
      'limited key': (await account.key({ scopes: ['webhooks:manage'] })).token,
      bot: (await account.key({ type: 'bot' })).token,
      person: ctx.dashboardCredential,
      dashboard: ctx.dashboardCredential,
      wrong: 'nonsense',
      nobody: undefined,
    },
    rightBodies: new Map<string, unknown>([
      ['signIn', { email: member.email, password: member.password }],
      [
        'changePassword',
        { current_password: member.password, new_password: 'Ada and her next password' },
      ],
      ['chooseAccount', { account: account.id }],
      ['deleteAccount', { name: settings.name }],
      ['updateMailPreferences', { webhooks: false }],
      ['changeMemberRole', { role: 'support' }],
      ['requestRotation', { member: owner.personId, reason: 'leaked' }],
      ['requestWebhookAct', { act: 'regenerate_secret', member: owner.personId, reason: 'leaked' }],
      ['createReplay', { since, status: 'all' }],
      ...unconfirmed,
      ...incidents,
      ...invitations,
      ...resets,
      ...factors,
      ...(await emailChangeLinks(ctx, account)),
      ['requestEmailChange', { email: `${crypto.randomUUID()}@example.com` }],
    ]),
    async restore() {
      await restoreAccount(ctx, owner);
      await updateAccount(ctx, owner, settings);
    },
  };
}

/** Creates links of email changes, to be read, confirmed and revoked. */
async function emailChangeLinks(
  ctx: TestContext,
  account: TestAccount,
): Promise<[string, unknown][]> {
  const [read, done, kept, takenBack] = [
    await askForEmailChange(ctx, account),
    await askForEmailChange(ctx, account),
    await askForEmailChange(ctx, account),
    await askForEmailChange(ctx, account),
  ];
  return [
    ['checkEmailConfirmation', { confirm_token: read.confirmToken }],
    ['confirmEmail', { confirm_token: done.confirmToken }],
    ['checkEmailRevocation', { revoke_token: kept.revokeToken }],
    ['revokeEmailChange', { revoke_token: takenBack.revokeToken }],
  ];
}

/** Creates things in an account, and remembers their names. */
class AccountFiller {
  readonly names: KnownNames = new Map();
  readonly #api: TestApi;
  readonly #account: TestAccount;
  readonly #key: string;

  constructor(api: TestApi, account: TestAccount, key: string) {
    this.#api = api;
    this.#account = account;
    this.#key = key;
  }

  async withKeys(): Promise<void> {
    this.#remember('apiKey', (await this.#account.key()).uuid);
    const rotated = await this.#account.key();
    await this.#make(`/api/v1/api-keys/${rotated.id}/rotate`);
    const path = `/api/v1/api-keys/${rotated.id}`;
    const { tokens } = dataOf(await this.#api.call('GET', path, { token: this.#key }));
    const [, older] = tokens as { id: number }[];
    const values = { apiKey: String(rotated.id), token: String(older?.id) };
    rememberNames(this.names, 'rotated key', values);
  }

  async withDeliveries(): Promise<void> {
    const { id } = await this.#account.webhook();
    this.#remember('webhook', id);
    this.#remember('delivery', (await this.#make(`/api/v1/webhooks/${id}/test`)).id);
    const replay = await this.#make(`/api/v1/webhooks/${id}/replays`, { since, status: 'failed' });
    this.#remember('replay', replay['uuid']);
  }

  async withColleague(ctx: TestContext): Promise<void> {
    const { id: personId } = await addPerson(ctx);
    await addMember(ctx, { accountId: this.#account.id, personId, role: 'viewer' });
    this.#remember('member', personId);
  }

  async withInvitation(ctx: TestContext): Promise<void> {
    this.#remember('invitation', (await this.#invite(ctx)).uuid);
  }

  /**
   * Creates invitations to be read, to be accepted by a new person, and for the member to join
   * another account.
   * @returns the bodies that name them
   */
  async withInvitationLinks(
    ctx: TestContext,
    member: MemberUnderTest,
  ): Promise<[string, unknown][]> {
    const read = await this.#invite(ctx);
    const accepted = await this.#invite(ctx);
    const elsewhere = new AccountFiller(this.#api, await this.#api.account(), this.#key);
    const joined = await elsewhere.#invite(ctx, member.email);
    const password = 'Ada and her next password';
    return [
      ['checkInvitation', { invitation_token: read.token }],
      ['acceptInvitation', { invitation_token: accepted.token, name: 'Mika', password }],
      ['joinAccount', { invitation_token: joined.token }],
    ];
  }

  async #invite(
    ctx: TestContext,
    email = `${crypto.randomUUID()}@example.com`,
  ): Promise<{ uuid: string; token: string }> {
    const owner = await this.#account.member('owner');
    const { uuid, link } = await createInvitation(ctx, owner, { email, role: 'viewer' });
    return { uuid, token: link?.split('#')[1] ?? '' };
  }

  /**
   * Creates a passkey of the member, a challenge for another one, recovery codes, and sign-ins that
   * wait for one.
   * @returns the bodies that name them
   */
  async withSecondFactors(
    ctx: TestContext,
    { id: personId, email, password, sessionToken }: MemberUnderTest,
  ): Promise<[string, unknown][]> {
    await ctx.db.delete(passkeys).where(eq(passkeys.personId, personId));
    this.#remember('passkey', await addPasskey(ctx, personId));
    const actor = { ...(await this.#account.member('owner')), personId, email };
    const options = await startPasskey(ctx, actor, sessionToken);
    const { origin } = ctx.config.publicUrl;
    const passkey = new SoftwareAuthenticator().create({ options, origin });
    const pending = async () => {
      const input = { email, password };
      const outcome = await signIn(ctx, { input, deviceToken: null, origin: actor.origin });
      if (outcome.kind !== 'pending') throw new Error('no second factor is asked for');
      return outcome.pending;
    };
    const code = () => addRecoveryCode(ctx, personId);
    return [
      ['finishSignIn', { ...named(await pending()), recovery_code: await code() }],
      ['startPasskeySignIn', named(await pending())],
      ['confirmIdentity', { password, recovery_code: await code() }],
      ['addPasskey', { name: 'Laptop', passkey }],
    ];
  }

  /**
   * Creates a request by the member, who may revoke the key or withdraw the request, and two
   * requests to the member, to be done or declined.
   */
  async withRotationRequests(ctx: TestContext, member: MemberUnderTest): Promise<void> {
    const owner = await this.#account.member('owner');
    const leaked = await this.#account.key();
    const byMember = await this.#api.call(
      'POST',
      `/api/dashboard/api-keys/${leaked.id}/rotation-requests`,
      {
        token: ctx.dashboardCredential,
        headers: { 'X-Dashboard-Session': member.sessionToken },
        body: { member: owner.personId, reason: 'leaked' },
      },
    );
    this.#remember('rotationRequest', dataOf(byMember)['uuid']);
    for (const kind of ['request to the caller', 'request to decline']) {
      const { uuid: apiKey } = await this.#account.key();
      const options = { apiKey, member: member.id, reason: 'lost' } as const;
      const { uuid: rotationRequest } = await requestRotation(ctx, owner, options);
      rememberNames(this.names, kind, { rotationRequest });
    }
  }

  /**
   * Creates tokens and a signing secret that were shown to the member, one for each operation on
   * them.
   * @returns the bodies that name them
   */
  async withUnconfirmed(member: MemberUnderTest): Promise<[string, unknown][]> {
    const confirmed = await this.#rotated(member, 'token to confirm');
    const replaced = await this.#rotated(member, 'token to replace');
    const undone = await this.#rotated(member, 'rotation to undo');
    const { id } = await this.#account.webhook();
    rememberNames(this.names, 'secret to confirm', { webhook: String(id) });
    const { secret } = await this.#makeAs(member, `/api/v1/webhooks/${id}/regenerate-secret`);
    return [
      ['confirmToken', { last_four: confirmed }],
      ['replaceUnconfirmedToken', { expected_last_four: replaced }],
      ['undoRotation', { expected_last_four: undone }],
      ['confirmSecret', { last_four: String(secret).slice(-4) }],
    ];
  }

  /**
   * Creates an incident that has ended.
   * @returns the bodies that name another key
   */
  async withIncident(ctx: TestContext): Promise<[string, unknown][]> {
    const owner = await this.#account.member('owner');
    const { uuid } = await this.#account.key();
    const asked = { act: 'rotate' as const, keys: [uuid] };
    const options = { reason: 'Laptop stolen', confirmation: 'rotate 1 key', choice: {} };
    const incident = await startIncident(ctx, owner, { ...asked, ...options });
    await cancelIncident(ctx, owner, { incident: incident.uuid });
    this.#remember('incident', incident.uuid);
    return [
      ['previewIncident', asked],
      ['startIncident', { ...asked, ...options }],
    ];
  }

  /** Creates a key that the member rotated; returns the last four of its newest token. */
  async #rotated(member: MemberUnderTest, kind: string): Promise<string> {
    const { id } = await this.#account.key();
    rememberNames(this.names, kind, { apiKey: String(id) });
    const { token } = await this.#makeAs(member, `/api/v1/api-keys/${id}/rotate`);
    return String(token).slice(-4);
  }

  async withEvents(): Promise<void> {
    const conversation = { subject: 'Where is my order?' };
    for (let made = 0; made < ofEachKind; made += 1) {
      this.#remember('conversation', (await this.#make('/api/v1/conversations', conversation)).id);
    }
    const events = await this.#api.call('GET', '/api/v1/events', { token: this.#key });
    for (const { id } of itemsOf(events)) this.#remember('event', id);
  }

  async #make(path: string, body: unknown = {}): Promise<Resource> {
    return dataOf(await this.#api.call('POST', path, { token: this.#key, body }));
  }

  async #makeAs(member: MemberUnderTest, path: string): Promise<Resource> {
    const headers = { 'X-Dashboard-Session': member.sessionToken };
    const token = this.#api.ctx.dashboardCredential ?? '';
    return dataOf(await this.#api.call('POST', path, { token, headers }));
  }

  #remember(parameter: string, value: unknown): void {
    rememberNames(this.names, parameter, { [parameter]: String(value) });
  }
}

function named({ pending_token }: PendingSignIn): { pending_token: string } {
  return { pending_token };
}
