/** The languages of the snippets. The tests run each against signed deliveries. */
export const snippetLanguages = {
  node: 'Node',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  ruby: 'Ruby',
  java: 'Java',
  csharp: 'C#',
  openssl: 'curl',
} as const;

export type SnippetLanguage = keyof typeof snippetLanguages;

type SnippetInput = {
  /** The variable that holds the secret. */
  envName: string;
  /** The URL to which the shell snippet sends its sample. */
  url: string;
};

/**
 * Code that verifies a signature, or in the shell creates one, as Standard Webhooks defines it:
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

  go: ({ envName }) => `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var key = readKey()

// body: the raw bytes as they came, before any JSON parsing
func IsGenuine(header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	if !regexp.MustCompile("^[0-9]{1,12}$").MatchString(timestamp) {
		return false
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Now().Unix() - seconds; age > 300 || age < -300 {
		return false // a replay
	}

	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))

	// while a secret is being replaced, one for each secret, separated by spaces
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}

func readKey() []byte {
	secret := strings.TrimPrefix(os.Getenv("${envName}"), "whsec_")
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil || len(key) == 0 {
		panic("Set ${envName}.")
	}
	return key
}`,

  php: ({ envName }) => `<?php

$key = base64_decode(preg_replace('/^whsec_/', '', getenv('${envName}') ?: ''));
if ($key === '') throw new Exception('Set ${envName}.');

// headers: with lower-case names, as of array_change_key_case(getallheaders())
// body: the raw bytes as they came, as of file_get_contents('php://input')
function isGenuine(array $headers, string $body): bool
{
    global $key;
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!preg_match('/^[0-9]{1,12}$/D', $timestamp)) return false;
    if (abs(time() - (int) $timestamp) > 300) return false; // a replay

    $digest = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
    $expected = 'v1,' . base64_encode($digest);

    // while a secret is being replaced, one for each secret, separated by spaces
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) return true;
    }
    return false;
}`,

  ruby: ({ envName }) => `require 'openssl'

KEY = ENV.fetch('${envName}', '').delete_prefix('whsec_').unpack1('m')
raise 'Set ${envName}.' if KEY.empty?

# headers: with lower-case names
# body: the raw bytes as they came, before any JSON parsing
def genuine?(headers, body)
  id = headers['webhook-id'].to_s
  timestamp = headers['webhook-timestamp'].to_s
  return false unless timestamp.match?(/\\A[0-9]{1,12}\\z/)
  return false if (Time.now.to_i - timestamp.to_i).abs > 300 # a replay

  digest = OpenSSL::HMAC.digest('SHA256', KEY, "#{id}.#{timestamp}.".b + body.b)
  expected = "v1,#{[digest].pack('m0')}"

  # while a secret is being replaced, one for each secret, separated by spaces
  headers['webhook-signature'].to_s.split(' ').any? do |signature|
    OpenSSL.secure_compare(signature, expected)
  end
end`,

  java: ({ envName }) => `import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Webhooks {
  private static final byte[] KEY = readKey();

  // header: returns the value of a header, as request::getHeader does
  // body: the raw bytes as they came, before any JSON parsing
  public static boolean isGenuine(UnaryOperator<String> header, byte[] body)
      throws GeneralSecurityException {
    String timestamp = header.apply("webhook-timestamp");
    String signatures = header.apply("webhook-signature");
    if (timestamp == null || signatures == null) return false;
    if (!timestamp.matches("[0-9]{1,12}")) return false;
    long age = Instant.now().getEpochSecond() - Long.parseLong(timestamp);
    if (Math.abs(age) > 300) return false; // a replay

    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
    String start = header.apply("webhook-id") + "." + timestamp + ".";
    mac.update(start.getBytes(StandardCharsets.UTF_8));
    String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));

    // while a secret is being replaced, one for each secret, separated by spaces
    for (String signature : signatures.split(" ")) {
      if (MessageDigest.isEqual(
          signature.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8)))
        return true;
    }
    return false;
  }

  private static byte[] readKey() {
    String secret = System.getenv().getOrDefault("${envName}", "");
    byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
    if (key.length == 0) throw new IllegalStateException("Set ${envName}.");
    return key;
  }
}`,

  csharp: ({ envName }) => `using System;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

public static class Webhooks
{
    // header: returns the value of a header, or null
    // body: the raw bytes as they came, before any JSON parsing
    public static bool IsGenuine(Func<string, string> header, byte[] body)
    {
        string timestamp = header("webhook-timestamp") ?? "";
        if (!Regex.IsMatch(timestamp, @"^[0-9]{1,12}\\z")) return false;
        long age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp);
        if (Math.Abs(age) > 300) return false; // a replay

        byte[] start = Encoding.UTF8.GetBytes(header("webhook-id") + "." + timestamp + ".");
        using (var hmac = new HMACSHA256(ReadKey()))
        {
            byte[] digest = hmac.ComputeHash(start.Concat(body).ToArray());
            string expected = "v1," + Convert.ToBase64String(digest);

            // while a secret is being replaced, one for each secret, separated by spaces
            return (header("webhook-signature") ?? "").Split(' ')
                .Any(signature => AreEqual(signature, expected));
        }
    }

    // in constant time
    static bool AreEqual(string one, string other)
    {
        int difference = one.Length ^ other.Length;
        for (int i = 0; i < one.Length && i < other.Length; i++) difference |= one[i] ^ other[i];
        return difference == 0;
    }

    static byte[] ReadKey()
    {
        string secret = Environment.GetEnvironmentVariable("${envName}") ?? "";
        byte[] key = Convert.FromBase64String(Regex.Replace(secret, "^whsec_", ""));
        if (key.Length == 0) throw new InvalidOperationException("Set ${envName}.");
        return key;
    }
}`,

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

/** How frameworks give the raw body, which is what is signed. */
export const rawBodySnippets = {
  Express: `// before express.json()
app.post('/webhooks', express.raw({ type: 'application/json' }), (req, res) => {
  if (!isGenuine(req.headers, req.body)) return res.sendStatus(401); // a Buffer
  const event = JSON.parse(req.body);
  res.sendStatus(204);
});`,
  'Next.js': `export async function POST(request) {
  const body = await request.text(); // not request.json()
  if (!isGenuine(request.headers, body)) return new Response(null, { status: 401 });
  const event = JSON.parse(body);
  return new Response(null, { status: 204 });
}`,
  Flask: `@app.post("/webhooks")
def receive():
    body = request.get_data()  # not request.get_json()
    if not is_genuine(request.headers, body):
        return "", 401
    event = json.loads(body)
    return "", 204`,
} as const;
