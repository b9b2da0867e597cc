export type SnippetLanguage = 'node' | 'python' | 'openssl';

type SnippetInput = {
  /** The variable that holds the secret. */
  envName: string;
  /** The URL to which the shell snippet sends its sample. */
  url: string;
};

/**
 * Code that verifies (Node, Python) or creates (shell) a signature as Standard Webhooks defines it:
 * HMAC-SHA256 over `id.timestamp.body`; the key is the base64-decoded part after `whsec_`.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureSnippet(language: SnippetLanguage, input: SnippetInput): string {
  return snippets[language](input);
}

const snippets: Record<SnippetLanguage, (input: SnippetInput) => string> = {
  node: ({ envName }) => `import { createHmac, timingSafeEqual } from 'node:crypto';

const key = Buffer.from(process.env.${envName}?.slice('whsec_'.length) ?? '', 'base64');
if (key.length === 0) throw new Error('Set ${envName}.');

// headers: a Headers object, or an object with lower-case names
// body: the raw bytes as they came, before any JSON parsing
export function isGenuine(headers, body) {
  const header = (name) =>
    String((typeof headers.get === 'function' ? headers.get(name) : headers[name]) ?? '');
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature');
  if (!id || !timestamp || !signatures) return false;
  if (!(Math.abs(Date.now() / 1000 - timestamp) < 300)) return false; // a replay

  const expected = createHmac('sha256', key)
    .update(\`\${id}.\${timestamp}.\`)
    .update(body)
    .digest();

  // while a secret is being replaced, one for each secret, separated by spaces
  return signatures.split(' ').some((signature) => {
    if (!signature.startsWith('v1,')) return false;
    const given = Buffer.from(signature.slice(3), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,

  python: ({ envName }) => `import base64, hashlib, hmac, os, re, time

key = base64.b64decode(os.environ["${envName}"].removeprefix("whsec_"))
if not key:
    raise ValueError("Set ${envName}.")

# body: the raw bytes as they came, before any JSON parsing
def is_genuine(headers, body):
    id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False  # a replay

    signed = f"{id}.{timestamp}.".encode(errors="replace") + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)

    # while a secret is being replaced, one for each secret, separated by spaces
    return any(
        hmac.compare_digest(signature.encode(errors="replace"), expected)
        for signature in headers.get("webhook-signature", "").split(" ")
    )`,

  openssl: ({ envName, url }) => `# Signs a sample as the service does and sends it to your server.
: "\${${envName}:?Set it to the signing secret.}"
id=msg_test_sample
timestamp=$(date +%s)
body='{"type":"webhook.test","test":true,"data":{}}'

key=$(printf %s "\${${envName}#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf %s "$id.$timestamp.$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

curl -i "${url}" \\
  -H "content-type: application/json" \\
  -H "webhook-id: $id" \\
  -H "webhook-timestamp: $timestamp" \\
  -H "webhook-signature: v1,$signature" \\
  --data-binary "$body"`,
};

/** The environment variable of the secret in the snippets. */
export const secretEnvName = 'MESSAGING_WEBHOOK_SECRET';
