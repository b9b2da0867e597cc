import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '#lib/testing/loopback.ts';

/** How a mail server misbehaves. A test may change this at any time. */
type Mood = {
  /** How many further emails it refuses. */
  refusals: number;
  /**
   * For how many further emails it breaks the connection after accepting them, instead of
   * confirming.
   */
  losses: number;
  /** Whether it accepts connections but sends nothing. */
  isSilent: boolean;
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
  const mood = { refusals: 0, losses: 0, isSilent: false, ...given };
  const received: { to: string; data: string }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let [to, data, isData] = ['', '', false];
    const lines = createInterface({ input: socket });
    const say = (line: string) => void socket.write(`${line}\r\n`);
    if (!mood.isSilent) say('220 mail.test');
    lines.on('line', (line) => {
      if (isData && line !== '.') data += `${line}\n`;
      else if (isData) {
        received.push({ to, data });
        isData = false;
        if (mood.losses > 0) {
          mood.losses -= 1;
          socket.destroy();
        } else say('250 taken');
      } else if (line.startsWith('MAIL') && mood.refusals > 0) {
        mood.refusals -= 1;
        say('451 later');
      } else if (line.startsWith('RCPT')) {
        to = line;
        say('250 ok');
      } else if (line === 'DATA') {
        isData = true;
        say('354 go on');
      } else say('250 ok');
    });
  });
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
