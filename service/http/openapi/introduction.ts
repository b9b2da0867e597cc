import { errorTable, unauthenticatedMessage } from '#lib/contract/error-codes.ts';
import { errorReasons, reasonsOfPeople } from '#lib/contract/error-reasons.ts';
import { keysOf } from '#lib/object-keys.ts';
import { defaultGraceSeconds, maxGraceSeconds } from '#lib/contract/fields/grace-period.ts';
import { formatDuration } from '#lib/time.ts';
import { keyTypes, scopesOfType } from '#lib/contract/api-keys/key-types.ts';
import type { KeyType } from '#lib/contract/api-keys/key-types.ts';
import { publicRoutes } from '#lib/contract/routes.ts';
import { allScopes, scopeTable } from '#lib/contract/api-keys/scopes.ts';
import { maxValidTokens } from '../../domain/api-keys/rules.ts';

const meaningOfType: Record<KeyType, string> = {
  full: 'Any scope. Without a list of scopes it holds all of them, including future ones.',
  limited: 'Only the scopes that you list, of any kind.',
  webhook: `For webhook integrations: ${namesOf('webhook')}.`,
  bot: `For bot flow integrations: ${namesOf('bot')}.`,
};

const errors = [
  ['BAD_REQUEST', 'The request is not valid HTTP, or has no path.'],
  ['UNAUTHORIZED', 'The key is missing, unknown, revoked or expired, or the token has ended.'],
  [
    'FORBIDDEN',
    'The key lacks the scope, may not be used from this address, or may not do what the request asks for.',
  ],
  ['NOT_FOUND', 'The resource or path does not exist in your account.'],
  ['METHOD_NOT_ALLOWED', 'The path does not support this method.'],
  ['REQUEST_TIMEOUT', 'The request did not arrive in time.'],
  ['PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.'],
  ['UNSUPPORTED_MEDIA_TYPE', 'The body is not JSON in UTF-8, or is compressed.'],
  ['VALIDATION_ERROR', 'The input is not valid; `details` has the messages for each field.'],
  ['RATE_LIMIT_EXCEEDED', 'Wait `retry_after` seconds, then try again.'],
  ['HEADERS_TOO_LARGE', 'The path and headers are larger than 16 KiB.'],
  ['INTERNAL_ERROR', 'Something went wrong in the service.'],
  [
    'UNAVAILABLE',
    'The service cannot use its database right now, or works on as many calls as it can. Try again soon.',
  ],
] as const;

/** The reasons that an API key can get. */
const keyReasons = keysOf(errorReasons).filter((reason) => !reasonsOfPeople.has(reason));

/** What readers should know before they look at single operations, in Markdown. */
export const introduction = `API keys, webhooks and conversations of a customer-messaging service.

## Requests and responses

Send JSON in UTF-8, at most 1 MiB, 5,000 values and 32 levels deep. Unknown fields in a body and unknown query parameters of a list are refused; only \`GET /api/v1/webhooks\` ignores the latter. Where a body is optional, white space, \`{}\`, \`[]\` and \`null\` count as no body, regardless of the content type.

A success is \`{"success": true, "data": …}\`; operations that respond with 204 have no body. New fields, and new values of fields that list their values, can be added to responses and events at any time, so ignore those you do not know. Times are ISO 8601 with milliseconds and a numeric UTC offset. Every response has \`X-Request-Id\`, and \`Cache-Control: no-store\` unless its operation takes \`If-None-Match\`.

## Keys, types and scopes

Send a key with every request: \`Authorization: Bearer <API_KEY>\`. It is not read from anywhere else. Keys are created in the dashboard under Settings › API keys, or with a key that has the scope \`api-keys:manage\`. A key acts in its own account only: a request for something of another account gets a 404, as for what does not exist.

The type of a key determines which scopes it can hold. It cannot be changed.

| Type | Scopes |
|---|---|
${keyTypes.map((type) => `| \`${type}\` | ${meaningOfType[type]} |`).join('\n')}

Each operation requires one scope. A scope that manages includes the one that reads.

| Scope | Allows you to |
|---|---|
${allScopes.map((scope) => `| \`${scope}\` | ${lowerFirst(scopeTable[scope].label)} |`).join('\n')}

A key can also be limited to networks (\`allowed_cidrs\`), to a time (\`expires_at\`) and to a number of calls a minute (\`rate_limit_per_minute\`). A key creates, changes, rotates and revokes only keys that can do no more than itself.

## Errors

An error is \`{"success": false, "error": {"code": …, "message": …}}\`. \`VALIDATION_ERROR\` adds \`details\`, the messages for each field; \`RATE_LIMIT_EXCEEDED\` adds \`retry_after\`, in seconds. 403, 422 and 429 add \`reason\`, for programs, and \`doc_url\`, a page that explains it. A request without a key gets a 401 with the body \`{"message": "${unauthenticatedMessage}"}\`.

| Code | Status | Meaning |
|---|---|---|
${errors.map(([code, meaning]) => `| \`${code}\` | ${errorTable[code].status} | ${meaning} |`).join('\n')}

The reasons:

| Reason | Code | Meaning |
|---|---|---|
${keyReasons.map((reason) => `| \`${reason}\` | \`${errorReasons[reason].code}\` | ${errorReasons[reason].title} |`).join('\n')}

## Rate limits

Unless the operator chose otherwise, a key may make 600 calls a minute, and all keys of an account together ten times as many. A key may have another limit, its \`rate_limit_per_minute\`, up to the account’s. Rotating and revoking keys and ending tokens do not count for the account. Calls from outside a key’s networks count only for the address that they come from. A key may create 60 keys and webhooks an hour, and an account 300. 60 failed authentications a minute are allowed from one address. \`RateLimit-Policy\` and \`RateLimit\` name the limit that is closest and how much of it is left. Beyond a limit the response is 429, with the seconds to wait in \`Retry-After\` and \`retry_after\`.

## Idempotency

To retry a request safely, send it with \`Idempotency-Key\`: 1 to 255 visible ASCII characters of your choice, such as a UUID. The service remembers it for 24 hours, for your key and the operation. It refuses the same value with another body, with a 422. A repeat does not count as another creation. Other operations ignore the header.

- ${operationsOn('same-response')}: the same request gets the same response, and happens once.
- ${operationsOn('fresh-secret')}: their responses hold a token or secret that the service does not keep. If a response is lost, send the same request again within 10 minutes. A token that was never used, or a secret that signed nothing yet, is replaced by a new one, which you get. Otherwise the 422 response explains what to do.

## Paging

Lists of conversations, messages, events, deliveries, audit entries and ended keys come in pages, newest first. \`limit\` sets the size of a page, 1 to 100 (default: 50). \`next_cursor\`, next to \`data\`, is null on the last page; until then, pass it as \`cursor\` to get the next page of the same list, with the same filters. It is valid for that list only. Webhooks, event types, and keys without \`status\`, come in one response.

Do not follow a list by its ids: they are given before a change is committed, so a row can appear below one that you have. Use \`follow\` for new deliveries, events, messages and audit entries. \`follow=now\` lists nothing and returns a \`follow_cursor\`. The next request with that as \`follow\` lists what was added since, oldest first, each item once, and returns the next \`follow_cursor\`.

## Rotation

Rotating a key makes a new token; name, type and scopes stay. The old token stays valid for a grace period: ${formatDuration(defaultGraceSeconds)}, unless the operator chose otherwise or you send \`grace_period_seconds\`, from 0 to ${maxGraceSeconds} (${formatDuration(maxGraceSeconds)}). A grace period never outlives the key.

1. Rotate the key and save the new token. It is in this response only.
2. Replace the old token wherever it is used. Calls made with it carry \`API-Key-Expires\`, the time at which it stops working.
3. Wait until the old token ends, or end it immediately.

A later rotation keeps the deadlines that earlier ones gave. If the newest token was shown in the dashboard, but not confirmed and never used, it is replaced immediately. A token that this API returned counts as confirmed and gets its grace period; after a lost response, repeat the request with the same \`Idempotency-Key\` instead of rotating again. A key has at most ${maxValidTokens} valid tokens. For a leaked token, choose a grace period of 0, which ends every older token immediately: during its grace period an old token can do everything that the key can except create, change, rotate and revoke keys, so it can still manage webhooks. \`dry_run\` previews a rotation.

A key without \`api-keys:manage\` can rotate itself with \`POST /api/v1/api-key/rotate\`, if an owner or admin allowed that in the dashboard (\`may_rotate_itself\`).

## Signatures

Deliveries are signed as [Standard Webhooks](https://www.standardwebhooks.com) describes; its libraries verify them. A webhook is created with a signing secret that is not shown to anyone, so that its first delivery is signed. To get a secret to verify with, regenerate it. To verify a delivery yourself:

1. Join \`webhook-id\`, \`webhook-timestamp\` and the body, exactly as received, with periods: \`id.timestamp.body\`.
2. Compute HMAC-SHA256 over that. The key is the signing secret without \`whsec_\`, base64-decoded.
3. Encode the result as base64, put \`v1,\` before it, and compare it in constant time with each signature in \`webhook-signature\`; they are separated by spaces. One that matches is enough: each secret that is in its grace period signs in addition to the newest.
4. Refuse a delivery whose \`webhook-timestamp\` is more than five minutes away from your time, and ignore a \`webhook-id\` that you have processed.

Webhook URLs use \`https\` and any port except those of other services that browsers refuse too, such as 22 and 25.`;

function namesOf(type: KeyType): string {
  return scopesOfType(type)
    .map((scope) => `\`${scope}\``)
    .join(', ');
}

function operationsOn(repeat: 'same-response' | 'fresh-secret'): string {
  return publicRoutes
    .filter(({ onRepeat }) => onRepeat === repeat)
    .map(({ method, path }) => `\`${method} ${path}\``)
    .join(', ');
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
