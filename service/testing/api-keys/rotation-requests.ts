import { and, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import { rotationRequests } from '../../db/schema/api-keys/rotation-requests.ts';
import { members } from '../../db/schema/people/members.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { mailOutcomes } from '../../domain/rotation-requests/outcomes/mail-outcomes.ts';
import { dataOf } from '../api.ts';
import type { ApiResponse, TestKey } from '../api.ts';
import type { ContextOptions } from '../context.ts';
import { auditEntriesOf } from '../records/audit-log.ts';
import { useApi } from '../use-api.ts';
import type { ApiFixture } from '../use-api.ts';

export type Member = Pick<PersonActor, 'personId' | 'personName' | 'email'>;

type Asked = {
  by?: Member;
  apiKey?: number | string;
  /** The id of the person who is asked. */
  member?: string;
  reason?: string;
  note?: string;
};

type Team = Omit<ApiFixture, 'caller'> & {
  /** A full key, whose token support must not see. */
  key: TestKey;
};

/**
 * `useApi` with another account for each test, whose members ask one another to rotate its key
 * "Production".
 */
export function useRotationRequests(
  options: ContextOptions = {},
): Team & { requests: RotationRequests } {
  const fixture = useApi({ ...options, accountFor: 'test', caller: { name: 'Production' } });
  const { ctx, api, account, owner, admin, support, viewer, caller: key } = fixture;
  const team = { ctx, api, account, owner, admin, support, viewer, key };
  return { ...team, requests: new RotationRequests(team) };
}

export class RotationRequests {
  readonly #team: Team;

  constructor(team: Team) {
    this.#team = team;
  }

  /** Asks a member to rotate a key: support asks the admin, if not said otherwise. */
  async ask(options: Asked = {}): Promise<ApiResponse> {
    const { by = this.#team.support, apiKey = this.#team.key.id, reason = 'lost', note } = options;
    return await this.#team.api.as(by).post(`/api/dashboard/api-keys/${apiKey}/rotation-requests`, {
      member: options.member ?? this.#team.admin.personId,
      reason,
      ...(note !== undefined && { note }),
    });
  }

  /** The same, for a request that is accepted. */
  async make(options: Asked = {}): Promise<RotationRequest> {
    const response = await this.ask(options);
    expect(response.text).toContain('"success":true');
    return dataOf<RotationRequest>(response);
  }

  async openFor(member: Member): Promise<RotationRequest[]> {
    const response = await this.#team.api.as(member).get('/api/dashboard/rotation-requests');
    expect(response.status).toBe(200);
    return dataOf<RotationRequest[]>(response);
  }

  async uuidsFor(member: Member): Promise<string[]> {
    return (await this.openFor(member)).map(({ uuid }) => uuid);
  }

  async rotate(member: Member, uuid: string, body: unknown = {}): Promise<ApiResponse> {
    return await this.#send(member, `${uuid}/rotate`, body);
  }

  async revoke(member: Member, uuid: string): Promise<ApiResponse> {
    return await this.#send(member, `${uuid}/revoke`);
  }

  async decline(
    member: Member,
    uuid: string,
    body: unknown = { reason: 'later' },
  ): Promise<ApiResponse> {
    return await this.#send(member, `${uuid}/decline`, body);
  }

  async withdraw(member: Member, uuid: string): Promise<ApiResponse> {
    return await this.#team.api.as(member).delete(`/api/dashboard/rotation-requests/${uuid}`);
  }

  async rowOf({ uuid }: { uuid: string }): Promise<typeof rotationRequests.$inferSelect> {
    const ofRequest = eq(rotationRequests.uuid, uuid);
    const [row] = await this.#team.ctx.db.select().from(rotationRequests).where(ofRequest);
    if (!row) throw new Error(`there is no request ${uuid}`);
    return row;
  }

  /** What the audit log says: "action by actor: target". */
  async audited(): Promise<string[]> {
    const entries = await auditEntriesOf(this.#team.ctx, this.#team.account.id);
    return entries.map(({ action, actor, target }) => `${action} by ${actor.name}: ${target.name}`);
  }

  /**
   * Sends the emails about outcomes that are due; returns those to the members `told`: "subject →
   * address".
   */
  async mailOutcomes(told: readonly Member[]): Promise<string[]> {
    const before = this.#team.ctx.mails.length;
    await mailOutcomes(this.#team.ctx);
    // Requests of other accounts of the suite end as well.
    const addresses = told.map(({ email }) => email);
    const mails = this.#team.ctx.mails.slice(before).filter(({ to }) => addresses.includes(to));
    return mails.map(({ subject, to }) => `${subject} → ${to}`);
  }

  async setRole(member: Member, role: Role): Promise<void> {
    await this.#team.ctx.db.update(members).set({ role }).where(this.#membershipOf(member));
  }

  async removeMember(member: Member): Promise<void> {
    await this.#team.ctx.db.delete(members).where(this.#membershipOf(member));
  }

  #membershipOf({ personId }: Member) {
    return and(eq(members.accountId, this.#team.account.id), eq(members.personId, personId));
  }

  async #send(member: Member, path: string, body?: unknown): Promise<ApiResponse> {
    return await this.#team.api.as(member).post(`/api/dashboard/rotation-requests/${path}`, body);
  }
}
