import { messages, protocol } from '@electric-sql/pglite';

const dataRow = 'D'.charCodeAt(0);
const commandComplete = 'C'.charCodeAt(0);
/** Messages that only confirm success: BindComplete and ReadyForQuery. */
const confirmations = new Set(['2', 'Z'].map((type) => type.charCodeAt(0)));
/** A message begins with its type and its length; the length includes itself, but not the type. */
const headerBytes = 5;

/** The database's response to one message of the client. */
export type ReadResults = {
  /** The values of each row, as PostgreSQL's text. */
  rows: (string | null)[][];
  /** The tag of the last command, such as `INSERT 0 1`. */
  commandTag: string;
  parameterTypes: number[];
  columns: { name: string; dataTypeID: number }[];
};

/**
 * Reads the messages that every statement gets in response, because PGlite's own parser (0.5.16)
 * creates two objects for each value of a row. PGlite's parser reads the others.
 *
 * @param onNotification called with each notification in the response
 * @throws messages.DatabaseError for the first error in the response
 */
export function readResults(
  received: Uint8Array,
  onNotification: (channel: string, payload: string) => void,
): ReadResults {
  const results: ReadResults = { rows: [], commandTag: '', parameterTypes: [], columns: [] };
  const data = Buffer.from(received.buffer, received.byteOffset, received.byteLength);
  let parser: protocol.Parser | undefined;
  const failures: messages.DatabaseError[] = [];

  function read(message: { name: string }): void {
    if (message instanceof messages.DatabaseError) failures.push(message);
    else if (message instanceof messages.RowDescriptionMessage) results.columns = message.fields;
    else if (message instanceof messages.ParameterDescriptionMessage) {
      results.parameterTypes = message.dataTypeIDs;
    } else if (message instanceof messages.NotificationResponseMessage) {
      onNotification(message.channel, message.payload);
    }
  }

  let start = 0;
  while (start < data.length) {
    const end = start + 1 + data.readUInt32BE(start + 1);
    const type = data.readUInt8(start);
    const body = start + headerBytes;
    if (type === dataRow) results.rows.push(readRow(data, body));
    // Without the NUL at the end.
    else if (type === commandComplete) results.commandTag = data.toString('utf8', body, end - 1);
    else if (!confirmations.has(type))
      (parser ??= new protocol.Parser()).parse(data.subarray(start, end), read);
    start = end;
  }
  const [failure] = failures;
  if (failure) throw failure;
  return results;
}

function readRow(data: Buffer, start: number): (string | null)[] {
  const count = data.readUInt16BE(start);
  const values: (string | null)[] = [];
  let position = start + 2;
  for (let place = 0; place < count; place += 1) {
    const size = data.readInt32BE(position);
    position += 4;
    values.push(size < 0 ? null : data.toString('utf8', position, position + size));
    if (size > 0) position += size;
  }
  return values;
}
