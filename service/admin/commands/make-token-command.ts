import { newToken } from '../../tokens/token.ts';
import { done } from '../outcome.ts';
import type { CommandReader } from '../outcome.ts';

export const readMakeToken: CommandReader = (args) =>
  args.length > 0 ? 'make-token takes no arguments.' : async () => done(newToken());
