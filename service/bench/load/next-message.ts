import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/**
 * Waits for the next message of a process that this one forked.
 *
 * @template Message what that process sends; nothing checks it, because both are of one program
 */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const [message] = (await once(child, 'message')) as [Message];
  return message;
}
