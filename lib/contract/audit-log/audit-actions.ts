import { isKeyOf } from '#lib/object-keys.ts';

/** The first part of action names, with the dashboard's label for all actions of the group. */
export const auditActionGroups = {
  api_key: 'API keys',
  rotation_request: 'Requests',
  incident: 'Incidents',
  webhook: 'Webhooks',
  delivery: 'Deliveries',
  event: 'Events',
  replay: 'Replays',
  member: 'Members',
  invitation: 'Invitations',
  person: 'Profiles and security',
  session: 'Sign-ins',
  support_visit: 'Support visits',
  support_desk: 'Support desk',
  account: 'Account',
  audit_log: 'Audit log',
} as const;

export type AuditActionGroup = keyof typeof auditActionGroups;

/**
 * Every action that the service records, and the words that follow the actor's name in a sentence
 * about it. `{target}` stands for the name of the target.
 */
export const auditActions = {
  'api_key.created': 'created the key {target}',
  'api_key.updated': 'changed the key {target}',
  'api_key.rotated': 'rotated the key {target}',
  'api_key.token_replaced': 'replaced the unconfirmed token of the key {target}',
  'api_key.token_confirmed': 'confirmed having the token of the key {target}',
  'api_key.rotation_undone': 'undid the rotation of the key {target}',
  'api_key.token_ended': 'ended a token of the key {target}',
  'api_key.token_extended': 'extended the time of a token of the key {target}',
  'api_key.previous_token_ended': 'ended the previous token of the key {target}',
  'api_key.paused': 'paused the key {target}',
  'api_key.resumed': 'resumed the key {target}',
  'api_key.revoked': 'revoked the key {target}',
  'api_key.owners_notified': 'notified the owners that the key {target} expires',
  'rotation_request.created': 'made a request about {target}',
  'rotation_request.done': 'fulfilled the request about {target}',
  'rotation_request.declined': 'declined the request about {target}',
  'rotation_request.cancelled': 'cancelled the request about {target}',
  'rotation_request.withdrawn': 'withdrew the request about {target}',
  'rotation_request.revoked': 'ended the request about {target} by revoking the key',
  'rotation_request.expired': 'let the request about {target} expire',
  'rotation_request.rotation_undone': 'undid the requested rotation of the key {target}',
  'incident.started': 'started the incident {target}',
  'incident.cancelled': 'cancelled the incident {target}',
  'webhook.created': 'created the webhook {target}',
  'webhook.updated': 'changed the webhook {target}',
  'webhook.deleted': 'deleted the webhook {target}',
  'webhook.tested': 'sent a test event to the webhook {target}',
  'webhook.secret_generated': 'generated the signing secret of the webhook {target}',
  'webhook.secret_regenerated': 'regenerated the signing secret of the webhook {target}',
  'webhook.secret_ended': 'ended an older signing secret of the webhook {target}',
  'webhook.secret_replaced': 'replaced the unconfirmed signing secret of the webhook {target}',
  'webhook.secret_confirmed': 'confirmed having the signing secret of the webhook {target}',
  'webhook.contact_confirmed': 'confirmed to be the contact of the webhook {target}',
  'webhook.deactivation_warned': 'warned that the webhook {target} will be deactivated',
  'webhook.deactivated': 'deactivated the webhook {target} because deliveries failed',
  'webhook.stream_opened': 'opened a stream of the events of the webhook {target}',
  'webhook.stream_closed': 'closed a stream of the events of the webhook {target}',
  'delivery.retried': 'retried the delivery {target}',
  'event.sent': 'sent the event {target} again',
  'replay.created': 'started {target}',
  'replay.cancelled': 'cancelled {target}',
  'member.added': 'added {target} to the team',
  'member.role_changed': 'changed the role of {target}',
  'member.reminded': 'reminded {target} to set up a second factor',
  'member.removed': 'removed {target} from the team',
  'member.left': 'left the team',
  'invitation.created': 'invited {target}',
  'invitation.renewed': 'renewed the invitation of {target}',
  'invitation.revoked': 'revoked the invitation of {target}',
  'person.renamed': 'changed the name of {target}',
  'person.mail_preferences_changed': 'changed which emails {target} gets',
  'person.password_changed': 'changed the password of {target}',
  'person.access_reset': 'reset the access of {target}',
  'person.email_change_requested': 'requested another email address for {target}',
  'person.email_change_cancelled': 'cancelled the change of the email address of {target}',
  'person.email_change_revoked': 'revoked the change of the email address of {target}',
  'person.email_changed': 'changed the email address of {target}',
  'person.second_factor_added': 'added a second factor of {target}',
  'person.second_factor_renamed': 'renamed a second factor of {target}',
  'person.second_factor_removed': 'removed a second factor of {target}',
  'person.second_factors_reset': 'reset the second factors of {target}',
  'person.recovery_codes_created': 'created recovery codes of {target}',
  'person.recovery_code_used': 'used a recovery code of {target}',
  'person.installation_support_added': 'added {target} to installation support',
  'person.installation_support_removed': 'removed {target} from installation support',
  'session.created': 'signed in',
  'session.sign_in_failed': 'failed to sign in as {target}',
  'session.proved': 'confirmed their identity',
  'session.proof_refused': 'gave a wrong password or second factor',
  'session.account_chosen': 'opened this account',
  'session.ended': 'ended a session of {target}',
  'session.others_ended': 'ended all other sessions of {target}',
  'support_visit.opened': 'opened the account {target} as installation support',
  'support_visit.ended': 'ended the visit of the account {target} as installation support',
  'support_desk.searched': 'searched at the support desk and saw results from {target}',
  'support_desk.leak_reported': 'reported a leaked token of the key {target} at the support desk',
  'support_desk.token_found': 'looked up a token of the key {target} at the support desk',
  'account.created': 'created the account {target}',
  'account.updated': 'changed the settings of the account {target}',
  'account.limits_changed': 'changed the quotas of the account {target}',
  'account.support_access_changed': 'changed the support access of the account {target}',
  'account.installation_support_changed': 'changed what installation support can do in {target}',
  'account.deleted': 'deleted the account {target}',
  'account.restored': 'restored the account {target}',
  'audit_log.exported': 'exported the audit log',
} as const satisfies Record<`${AuditActionGroup}.${string}`, string>;

/** The API can return any text: an entry may be older than this table, or from a later version. */
export type AuditAction = keyof typeof auditActions;

/** Whether the log can be filtered by it: an action, or a group for all of its actions. */
export function isActionFilter(text: string): boolean {
  return isKeyOf(auditActionGroups, text) || isKeyOf(auditActions, text);
}

/** The parts of a sentence about an action before and after its target; `after` null: not named. */
export function describeAuditAction(action: string): { before: string; after: string | null } {
  const sentence: string = isKeyOf(auditActions, action)
    ? auditActions[action]
    : `${action}: {target}`;
  const [before = '', after = null] = sentence.split('{target}');
  return { before, after };
}
