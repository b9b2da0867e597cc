import { protocol } from '@electric-sql/pglite';
import type { messages } from '@electric-sql/pglite';

type Callback = (message: Parameters<Parameters<Parser['parse']>[1]>[0]) => void;
type Parser = InstanceType<typeof protocol.Parser>;

const dataRow = 'D'.charCodeAt(0);
/** A message begins with its type and the length of the rest, which counts itself. */
const headerBytes = 5;

/** The beginning of a message whose end has not arrived yet. */
const incomplete = new WeakMap<Parser, Buffer>();
let isInstalled = false;

/**
 * Reads the rows of results in place of PGlite's own parser, which makes two objects for each value
 * (0.5.16): that took a quarter of the time of a list. All other messages go on to it.
 */
export function parseRowsQuickly(): void {
  if (isInstalled) return;
  isInstalled = true;
  const { prototype } = protocol.Parser;
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the parser as `this`
  const { parse } = prototype;
  prototype.parse = function parseQuickly(this: Parser, received, callback) {
    const chunk = ArrayBuffer.isView(received)
      ? Buffer.from(received.buffer, received.byteOffset, received.byteLength)
      : Buffer.from(received);
    const before = incomplete.get(this);
    const data = before === undefined ? chunk : Buffer.concat([before, chunk]);
    incomplete.delete(this);
    const end = parseMessages(data, callback, (message) => parse.call(this, message, callback));
    // Copied: the database writes the next chunk into the same memory.
    if (end < data.length) incomplete.set(this, Buffer.from(data.subarray(end)));
  };
}

/** @returns where the first message begins that is not whole */
function parseMessages(
  data: Buffer,
  callback: Callback,
  parseOther: (message: Uint8Array) => void,
): number {
  let start = 0;
  while (start + headerBytes <= data.length) {
    const length = data.readUInt32BE(start + 1);
    const end = start + 1 + length;
    if (end > data.length) return start;
    if (data[start] === dataRow) callback(parseRow(data, start + headerBytes, length));
    else parseOther(data.subarray(start, end));
    start = end;
  }
  return start;
}

function parseRow(data: Buffer, start: number, length: number): messages.DataRowMessage {
  const count = data.readUInt16BE(start);
  const fields: (string | null)[] = [];
  let position = start + 2;
  for (let place = 0; place < count; place += 1) {
    const size = data.readInt32BE(position);
    position += 4;
    fields.push(size < 0 ? null : data.toString('utf8', position, position + size));
    if (size > 0) position += size;
  }
  return new protocol.messages.DataRowMessage(length, fields);
}
