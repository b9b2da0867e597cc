export { expect } from '@playwright/test';
export { apiWith, post, readData } from './api-client.ts';
export { attach } from './attach.ts';
export type { ChangeableSettings, Command, CommandResult, Control, Mail } from './control.ts';
export type { TestFixtures, TestOptions, Service, WorkerFixtures } from './fixture-types.ts';
export { test } from './fixtures.ts';
export type { DeliveryState, GivenDelivery } from './given-delivery.ts';
export type { Account, Installation, Member, Person, Role } from './installation.ts';
export {
  bearer,
  choiceOf,
  choose,
  goTo,
  menuOf,
  openApiKeys,
  openRotation,
  rowOf,
  statusOf,
  submitApiKey,
  submitRotation,
} from './pages/api-keys.ts';
export { awaitHydration, whenHydrated } from './pages/await-hydration.ts';
export { expectAccessible, scrolledSideways } from './pages/checks/accessibility.ts';
export { tracesOf } from './pages/checks/traces-of.ts';
export { deliveriesOf, deliveryDrawer, openDeliveries, openDelivery } from './pages/deliveries.ts';
export {
  givePassword,
  proofPrompt,
  proveIdentity,
  signInPrompt,
  whileProvingIdentity,
} from './pages/people/identity.ts';
export {
  invite,
  linkDialog,
  openLink,
  pendingOf,
  readLinkOnce,
  renewLink,
} from './pages/people/invitations.ts';
export {
  addVirtualAuthenticator,
  readRecoveryCodes,
  recoveryCodesDialog,
  setUpApp,
} from './pages/people/second-factors.ts';
export { followLink, giveCode, linkIn, signIn, signOut } from './pages/people/sign-in.ts';
export {
  beginButton,
  chooseSince,
  followedReplay,
  openReplay,
  replayButton,
} from './pages/replays.ts';
export {
  askForRotation,
  chooseMember,
  declineRequest,
  reportLeak,
} from './pages/rotation-requests.ts';
export { readSecretOnce, secretDialog } from './pages/secret-dialog.ts';
export type { SecretDialog } from './pages/secret-dialog.ts';
export {
  factOf,
  figureOf,
  mainAct,
  openRegeneration,
  openTab,
  openWebhook,
  openWebhooks,
  readWebhook,
  setActive,
  submitWebhook,
  uuidOf,
} from './pages/webhooks.ts';
export { createInstallation, openSession } from './own-installation.ts';
export type { OwnInstallation } from './own-installation.ts';
export { startReceiver } from './receiver.ts';
export type { ReceivedRequest, Receiver } from './receiver.ts';
export { newToken, startServer } from './server.ts';
export type { Environment, Server } from './server.ts';
export { totp } from './totp.ts';
export { handledPageError } from './watch-browser.ts';
export type { Guard } from './watch-browser.ts';
export { textOf, writeMessage } from './write-message.ts';
