import { version } from '../../version.ts';
import { done, type CommandReader } from '../outcome.ts';

export const readVersion: CommandReader = (args) =>
  args.length > 0 ? 'version takes no arguments.' : async () => done(version);
