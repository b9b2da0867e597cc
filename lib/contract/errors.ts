import { z } from 'zod';
import { errorTable, unauthenticatedMessage } from './error-codes.ts';
import type { ErrorCode } from './error-codes.ts';

const codes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

/** The one error envelope (specification, Errors). */
export const errorEnvelope = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.enum(codes),
      message: z.string(),
      details: z
        .record(z.string(), z.array(z.string()))
        .optional()
        .describe('Only for VALIDATION_ERROR: field name → messages.'),
      retry_after: z
        .int()
        .min(1)
        .optional()
        .describe('Only for RATE_LIMIT_EXCEEDED: seconds to wait.'),
    }),
  })
  .meta({ id: 'Error' });

export type ErrorEnvelope = z.infer<typeof errorEnvelope>;

/** The 401 body of a request without a key. */
export const unauthenticatedBody = z
  .object({ message: z.string() })
  .meta({ id: 'Unauthenticated', examples: [{ message: unauthenticatedMessage }] });
