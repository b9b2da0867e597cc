import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '#lib/testing/loopback.ts';
import { certificates } from '../delivery/certificates.ts';

/** How a mail server misbehaves. A test may change this at any time. */
type Mood = {
  /** How many further emails it refuses. */
  refusals: number;
  /**
   * For how many further emails it breaks the connection after accepting them, instead of
   * confirming.
   */
  losses: number;
  /** Addresses that it does not know. */
  unknown: readonly string[];
  /** Whether it accepts connections but sends nothing. */
  isSilent: boolean;
  /** The certificate with which it offers STARTTLS; it takes emails without TLS too. */
  certificate: keyof typeof certificates | null;
};

/** A mail server that stores the emails it accepts. It ends with the test. */
export async function startMailServer(given: Partial<Mood> = {}): Promise<{
  received: { to: string; data: string }[];
  mood: Mood;
  connections: () => number;
  /** Breaks every connection. */
  hangUp: () => void;
  url: string;
}> {
  const mood: Mood = {
    refusals: 0,
    losses: 0,
    unknown: [],
    isSilent: false,
    certificate: null,
    ...given,
  };
  const received: { to: string; data: string }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    if (!mood.isSilent) socket.write('220 mail.test\r\n');
    serve(socket);
  });

  function serve(socket: Socket): void {
    socket.on('error', () => undefined);
    let [to, data, isData] = ['', '', false];
    const lines = createInterface({ input: socket });
    const say = (line: string) => void socket.write(`${line}\r\n`);
    lines.on('line', (line) => {
      if (isData && line !== '.') data += `${line}\n`;
      else if (isData) {
        received.push({ to, data });
        isData = false;
        if (mood.losses > 0) {
          mood.losses -= 1;
          socket.destroy();
        } else say('250 taken');
      } else if (line.startsWith('EHLO') && mood.certificate && !(socket instanceof TLSSocket)) {
        say('250-mail.test\r\n250 STARTTLS');
      } else if (line === 'STARTTLS') {
        lines.close();
        say('220 go on');
        serve(
          new TLSSocket(socket, { isServer: true, ...certificates[mood.certificate ?? 'trusted'] }),
        );
      } else if (line.startsWith('MAIL') && mood.refusals > 0) {
        mood.refusals -= 1;
        say('451 later');
      } else if (line.startsWith('RCPT')) {
        to = line;
        const isUnknown = mood.unknown.some((address) => line.includes(`<${address}>`));
        say(isUnknown ? '550 Mailbox unavailable' : '250 ok');
      } else if (line === 'DATA') {
        isData = true;
        say('354 go on');
      } else say('250 ok');
    });
  }
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    hangUp();
  });
  const url = `smtp://127.0.0.1:${await listenOnLoopback(server)}`;
  return { received, mood, connections: () => sockets.size, hangUp, url };
}
