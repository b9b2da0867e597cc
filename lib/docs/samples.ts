/** The languages of the samples, in the order in which they are offered. */
export const sampleLanguages = { sh: 'curl', ts: 'TypeScript', python: 'Python' } as const;

export type SampleLanguage = keyof typeof sampleLanguages;

/** One call of an operation. */
export type SampleCall = {
  method: string;
  /** With its parameters in braces. */
  path: string;
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: unknown;
  /** Whether it responds with a text that is not JSON as a whole. */
  isText?: boolean;
  /** Whether the response goes on until someone ends it. */
  isEndless?: boolean;
};

/** The variable from which samples read the token. */
export const tokenVariable = 'MESSAGING_API_KEY';

/** Code that makes the call; a test runs all of it. @param baseUrl without a slash at the end */
export function sampleOf(language: SampleLanguage, call: SampleCall, baseUrl: string): string {
  return writers[language](call, baseUrl);
}

const writers: Record<SampleLanguage, (call: SampleCall, baseUrl: string) => string> = {
  sh(call, baseUrl) {
    const address = addressOf(call, baseUrl);
    const url = /[?&]/.test(address) ? `'${address}'` : address;
    const method = call.method === 'GET' ? '' : `-X ${call.method} `;
    const option = call.isEndless ? '-N ' : '';
    const parts = [`curl ${option}${method}${url}`, `-H "Authorization: Bearer $${tokenVariable}"`];
    if (call.body !== undefined) {
      const json = JSON.stringify(call.body).replaceAll("'", String.raw`'\''`);
      parts.push(`-H "Content-Type: application/json"`, `-d '${json}'`);
    }
    return parts.join(' \\\n  ');
  },

  ts({ method, path, params, query, body, isText, isEndless }, baseUrl) {
    const input = {
      ...((params ?? query) && {
        params: { ...(params && { path: params }), ...(query && { query }) },
      }),
      ...(body !== undefined && { body }),
      ...(isText && { parseAs: isEndless ? 'stream' : 'text' }),
    };
    const hasInput = Object.keys(input).length > 0;
    return `import { createClient } from '${clientPackage}';

const client = createClient({
  baseUrl: '${baseUrl}',
  token: process.env.${tokenVariable},
});
const { data, error } = await client.${method}(
  '${path}',${hasInput ? `\n  ${indent(literal(input), 2)},` : ''}
);
if (error) throw new Error(JSON.stringify(error));
${isEndless ? tsLoop : 'console.log(data);'}`;
  },

  python(call, baseUrl) {
    const hasBody = call.body !== undefined;
    const headers = [`"Authorization": f"Bearer {os.environ['${tokenVariable}']}"`];
    if (hasBody) headers.push('"Content-Type": "application/json"');
    return `${pythonImports}

request = urllib.request.Request(
    "${addressOf(call, baseUrl)}",
    method="${call.method}",
    headers={
${headers.map((header) => `        ${header},`).join('\n')}
    },${hasBody ? `\n    data=json.dumps(${indent(pythonLiteral(call.body), 4)}).encode(),` : ''}
)
with urllib.request.urlopen(request) as response:
    ${call.isEndless ? pythonLoop : 'print(response.read().decode())'}`;
  },
};

/** An endless response is read until its first event, so that the sample ends. */
const tsLoop = `for await (const bytes of data ?? []) {
  const text = new TextDecoder().decode(bytes);
  console.log(text);
  if (text.includes('data: ')) break;
}`;
const pythonLoop = `for line in response:
        print(line.decode(), end="")
        if line.startswith(b"data: "):
            break`;

const pythonImports = ['json', 'os', 'urllib.request'].map((name) => `import ${name}`).join('\n');
const clientPackage = 'conversation-service-client';

function addressOf({ path, params = {}, query = {} }: SampleCall, baseUrl: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams(query).toString();
  return `${baseUrl}${filled}${search === '' ? '' : `?${search}`}`;
}

/** A value as a JavaScript literal, with names without quotes where they need none. */
function literal(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return json
    .replaceAll(/^( *)"(\w+)": /gm, (_, space: string, name: string) => `${space}${name}: `)
    .replaceAll(/"((?:[^"\\']|\\.)*)"(?=,?$)/gm, (_, text: string) =>
      text.includes('\\') ? `"${text}"` : `'${text}'`,
    )
    .replaceAll(/([^[{,])$(?=\n)/gm, '$1,');
}

function pythonLiteral(value: unknown): string {
  return JSON.stringify(value, null, 4)
    .replaceAll(/\btrue(?=,?$)/gm, 'True')
    .replaceAll(/\bfalse(?=,?$)/gm, 'False')
    .replaceAll(/\bnull(?=,?$)/gm, 'None')
    .replaceAll(/([^[{,])$(?=\n)/gm, '$1,');
}

function indent(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
