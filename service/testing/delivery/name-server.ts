import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

const types = { 1: 'A', 28: 'AAAA' } as const;
const responseCodes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3 };

export type NameQuestion = { name: string; type: 'A' | 'AAAA' };

/** Addresses of the requested family, a response code, or `silence`. */
export type NameAnswer = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'silence';

/** A DNS server on loopback for the running test, which responds with `answer`. */
export async function startNameServer(answer: (question: NameQuestion) => NameAnswer) {
  const asked: NameQuestion[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const question = readQuestion(query);
    asked.push(question);
    const given = answer(question);
    if (given !== 'silence') socket.send(respond(query, given), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { asked, server: `127.0.0.1:${socket.address().port}` };
}

/** A message has a header of 12 bytes, the question, and the answers (RFC 1035, section 4). */
function readQuestion(query: Buffer): NameQuestion {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  return { name: labels.join('.'), type: type === 28 ? types[28] : types[1] };
}

function respond(query: Buffer, answer: Exclude<NameAnswer, 'silence'>): Buffer {
  const code = typeof answer === 'string' ? responseCodes[answer] : responseCodes.NOERROR;
  const records = typeof answer === 'string' ? [] : answer.map(record);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 + code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  return Buffer.concat([header, question, ...records]);
}

function record(address: string): Buffer {
  const data = address.includes(':') ? bytesOfIPv6(address) : address.split('.').map(Number);
  // The name refers to that of the question; then type, class IN, a time to live of 0 seconds, and
  // the length.
  const fixed = Buffer.from([0xc0, 12, 0, data.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0]);
  return Buffer.concat([fixed, Buffer.from([data.length, ...data])]);
}

/** For an address without `::`. */
function bytesOfIPv6(address: string): number[] {
  return address.split(':').flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}
