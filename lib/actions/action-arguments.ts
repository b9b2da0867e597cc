import { z } from 'zod';
import {
  createApiKeyInput,
  revokeApiKeyInput,
  updateApiKeyInput,
} from '../contract/api-keys/key-inputs.ts';
import { rotationInput } from '../contract/api-keys/rotation.ts';
import { previewIncidentInput } from '../contract/api-keys/incidents/incident-preview.ts';
import { startIncidentInput } from '../contract/api-keys/incidents/incidents.ts';
import { confirmTokenInput, newestTokenInput } from '../contract/api-keys/unconfirmed-tokens.ts';
import { boundedText, rawText } from '../contract/fields/bounded-text.ts';
import {
  changePasswordInput,
  chooseAccountInput,
  confirmIdentityInput,
} from '../contract/people/sessions.ts';
import { openLinkInput } from '../contract/people/links.ts';
import { setUpInput } from '../contract/people/set-up.ts';
import { signInInput } from '../contract/people/sign-in.ts';
import { givenUuid } from '../contract/fields/fields.ts';
import { eventTypes } from '../contract/events/events.ts';
import { testWebhookInput } from '../contract/events/test-events.ts';
import { createReplayInput } from '../contract/deliveries/replays.ts';
import {
  declineInput,
  requestRotationInput,
  requestWebhookActInput,
} from '../contract/api-keys/rotation-requests.ts';
import { deleteAccountInput, updateAccountInput } from '../contract/people/accounts.ts';
import {
  openSupportVisitInput,
  setInstallationSupportInput,
} from '../contract/people/installation-support.ts';
import {
  acceptInvitationInput,
  createInvitationInput,
  joinAccountInput,
} from '../contract/people/invitations.ts';
import { requestEmailChangeInput } from '../contract/people/email-changes.ts';
import { updateMailPreferencesInput } from '../contract/people/mail-preferences.ts';
import { renamePersonInput } from '../contract/people/person.ts';
import { changeMemberRoleInput } from '../contract/people/members.ts';
import {
  requestPasswordResetInput,
  finishPasswordResetInput,
} from '../contract/people/password-resets.ts';
import {
  addPasskeyInput,
  confirmAppInput,
  finishSignInInput,
  renamePasskeyInput,
} from '../contract/people/second-factors.ts';
import { findTokenInput } from '../contract/api-keys/token-search.ts';
import { searchDeskInput } from '../contract/support-desk/support-desk.ts';
import { confirmSecretInput } from '../contract/webhooks/unconfirmed-secrets.ts';
import {
  createWebhookInput,
  regenerateSecretInput,
  updateWebhookInput,
} from '../contract/webhooks/webhook-inputs.ts';

/** An integer id or a UUID. The service checks whether it exists. */
const reference = boundedText(64);

/** One for each thing to create. The same key is sent again after a lost response. */
const idempotencyKey = givenUuid;

const replayInput = createReplayInput.omit({ dry_run: true });

/**
 * The fields of a webhook's form, of which only the type and size are checked here. The service
 * checks the rest: only it knows which URLs may be called, and so finds all errors at once.
 */
const webhookForm = z.strictObject({
  name: rawText(1000, { tooLong: 'Use at most 100 characters.' }),
  url: rawText(10_000, { tooLong: 'Use at most 2048 characters.' }),
  events: z
    .array(createWebhookInput.shape.events.element)
    .max(eventTypes.length, 'List each event type only once.'),
});

/** The arguments of each server action, in order. Anybody can call one with any arguments. */
export const actionArguments = {
  createApiKey: z.tuple([createApiKeyInput, idempotencyKey]),
  previewRotation: z.tuple([reference, rotationInput]),
  rotateApiKey: z.tuple([reference, rotationInput, idempotencyKey]),
  updateApiKey: z.tuple([reference, updateApiKeyInput]),
  revokeApiKey: z.tuple([reference, revokeApiKeyInput]),
  endToken: z.tuple([reference, z.int()]),
  findTokenOfAccount: z.tuple([findTokenInput]),
  confirmToken: z.tuple([reference, confirmTokenInput]),
  replaceUnconfirmedToken: z.tuple([reference, newestTokenInput, idempotencyKey]),
  undoRotation: z.tuple([reference, newestTokenInput]),

  previewIncident: z.tuple([previewIncidentInput]),
  startIncident: z.tuple([startIncidentInput]),
  cancelIncident: z.tuple([reference]),

  requestRotation: z.tuple([reference, requestRotationInput]),
  requestWebhookAct: z.tuple([reference, requestWebhookActInput]),
  rotateOnRequest: z.tuple([reference, rotationInput, idempotencyKey]),
  revokeLeakedKey: z.tuple([reference]),
  withdrawRotationRequest: z.tuple([reference]),
  declineRotationRequest: z.tuple([reference, declineInput]),

  createWebhook: z.tuple([createWebhookInput.extend(webhookForm.shape), idempotencyKey]),
  updateWebhook: z.tuple([
    reference,
    z.strictObject({ ...updateWebhookInput.shape, ...webhookForm.partial().shape }),
  ]),
  countBacklog: z.tuple([reference]),
  deleteWebhook: z.tuple([reference]),
  regenerateWebhookSecret: z.tuple([reference, regenerateSecretInput, idempotencyKey]),
  confirmSecret: z.tuple([reference, confirmSecretInput]),
  retryDelivery: z.tuple([reference]),
  sendTest: z.tuple([reference, testWebhookInput]),
  countReplay: z.tuple([reference, replayInput]),
  createReplay: z.tuple([reference, replayInput]),
  cancelReplay: z.tuple([reference]),

  changeMemberRole: z.tuple([reference, changeMemberRoleInput]),
  removeMember: z.tuple([reference]),
  leaveAccount: z.tuple([]),

  setInstallationSupport: z.tuple([setInstallationSupportInput]),
  openSupportVisit: z.tuple([openSupportVisitInput]),
  endSupportVisit: z.tuple([]),

  searchDesk: z.tuple([searchDeskInput]),
  findToken: z.tuple([findTokenInput]),
  reportUnknownLeak: z.tuple([findTokenInput]),

  createInvitation: z.tuple([createInvitationInput]),
  renewInvitation: z.tuple([reference]),
  revokeInvitation: z.tuple([reference]),
  openLink: z.tuple([openLinkInput.shape.kind, openLinkInput.shape.token]),
  checkInvitation: z.tuple([]),
  acceptInvitation: z.tuple([acceptInvitationInput.omit({ invitation_token: true })]),
  joinAccount: z.tuple([joinAccountInput.omit({ invitation_token: true })]),

  signIn: z.tuple([signInInput]),
  finishSignIn: z.tuple([finishSignInInput]),
  startPasskeySignIn: z.tuple([]),
  confirmIdentity: z.tuple([confirmIdentityInput]),
  startPasskeyProof: z.tuple([]),
  startApp: z.tuple([]),
  confirmApp: z.tuple([confirmAppInput]),
  removeApp: z.tuple([]),
  startPasskey: z.tuple([]),
  addPasskey: z.tuple([addPasskeyInput]),
  renamePasskey: z.tuple([reference, renamePasskeyInput]),
  removePasskey: z.tuple([reference]),
  createRecoveryCodes: z.tuple([]),
  chooseAccount: z.tuple([chooseAccountInput.shape.account]),
  endSession: z.tuple([reference]),
  endOtherSessions: z.tuple([]),
  changePassword: z.tuple([changePasswordInput]),
  checkSetUpToken: z.tuple([]),
  setUp: z.tuple([setUpInput.omit({ set_up_token: true })]),
  updateAccount: z.tuple([updateAccountInput]),
  deleteAccount: z.tuple([deleteAccountInput.shape.name]),
  restoreAccount: z.tuple([]),
  updateMailPreferences: z.tuple([updateMailPreferencesInput]),
  renamePerson: z.tuple([renamePersonInput.shape.name]),
  requestEmailChange: z.tuple([requestEmailChangeInput.shape.email]),
  cancelEmailChange: z.tuple([]),
  checkEmailConfirmation: z.tuple([]),
  confirmEmail: z.tuple([]),
  checkEmailRevocation: z.tuple([]),
  revokeEmailChange: z.tuple([]),
  requestPasswordReset: z.tuple([requestPasswordResetInput.shape.email]),
  checkPasswordReset: z.tuple([]),
  finishPasswordReset: z.tuple([finishPasswordResetInput.omit({ reset_token: true })]),
} as const;
