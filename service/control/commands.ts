import { listOutbox, outboxOf } from '../mail/outbox.ts';
import { accountCommandsFor } from './account-commands.ts';
import type { ChangeableSettings, Control } from 'conversation-service-playwright-kit';
import type { ControlledContext } from './controlled-context.ts';
import { keyCommandsFor } from './key-commands.ts';
import { sessionCommandsFor } from './session-commands.ts';

/** The commands that the suite can run on this service. */
export function commandsFor(ctx: ControlledContext): Control {
  const usual: Required<ChangeableSettings> = {
    logLevel: ctx.log.level,
    webhookAllowHttp: ctx.config.webhookAllowHttp,
    rotationGraceSeconds: ctx.config.rotationGraceSeconds,
  };

  function change({ logLevel, ...config }: ChangeableSettings): void {
    if (logLevel !== undefined) ctx.log.level = logLevel;
    Object.assign(ctx.config, config);
  }

  return {
    ...accountCommandsFor(ctx),
    ...keyCommandsFor(ctx),
    ...sessionCommandsFor(ctx),

    async listMails({ to }) {
      const { mails } = await listOutbox(outboxOf(ctx.config), { max: 1000 });
      return mails.filter((mail) => mail.to === to).map(({ subject, text }) => ({ subject, text }));
    },

    moveClock: async ({ ms }) => ctx.clock.move(ms),
    change: async (settings) => change(settings),

    async reset() {
      ctx.clock.reset();
      change(usual);
      await ctx.limiter.reset();
    },
  };
}
