import { importInitialKey } from '../domain/api-keys/create-api-key.ts';
import { lockAndAnnounceKeys } from '../domain/api-keys/tokens/changed-keys.ts';
import type { Effects } from '../domain/effects.ts';
import {
  createLane,
  notifyOfChangedWebhook,
  pauseLane,
  pauseLanesOf,
  resumeLane,
  resumeLanesOf,
} from '../domain/lanes/statements/lanes.ts';
import { endReplays } from '../domain/replays/cancel-replay.ts';
import {
  closeFinishedLeakReports,
  closeRequestsOfMember,
  closeRequestsOfRevokedKey,
  closeRequestsOfRotatedKey,
  closeWebhookRequests,
  recordUndoneRotations,
} from '../domain/rotation-requests/outcomes/close-open-requests.ts';

/**
 * Everything that follows from a change in other nouns, in the order in which it happens. They take
 * locks, so the order is the one of `docs/decisions/0004-a-lane-per-webhook.md`.
 */
export const effects: Effects = {
  accountCreatedWithKey: [importInitialKey],
  accountDeleted: [lockAndAnnounceKeys, pauseLanesOf],
  afterAccountDeleted: [({ keyCache }, { accountId }) => keyCache.evictAccount(accountId)],
  accountRestored: [resumeLanesOf],
  memberRemoved: [closeRequestsOfMember],
  supportEnded: [closeRequestsOfMember],

  keyRotated: [closeRequestsOfRotatedKey],
  keyRevoked: [closeRequestsOfRevokedKey],
  tokensEnded: [closeFinishedLeakReports],
  rotationUndone: [recordUndoneRotations],

  webhookCreated: [createLane],
  webhookPaused: [pauseLane],
  webhookResumed: [resumeLane, (tx, change) => closeWebhookRequests(tx, 'resume', change)],
  webhookUrlChanged: [notifyOfChangedWebhook],
  webhookSecretRegenerated: [
    notifyOfChangedWebhook,
    (tx, change) => closeWebhookRequests(tx, 'regenerate_secret', change),
  ],
  webhookSecretEnded: [notifyOfChangedWebhook],
  webhookDeleted: [endReplays, notifyOfChangedWebhook],
};
