import { z } from 'zod';
import { errorTable, unauthenticatedMessage } from './error-codes.ts';
import { allScopes } from './api-keys/scopes.ts';
import { errorReasons } from './error-reasons.ts';
import { keysOf } from '#lib/object-keys.ts';

const codes = keysOf(errorTable);

/** The one error envelope (specification, Errors). */
export const errorEnvelope = z
  .object({
    success: z.literal(false).describe('Always `false` on an error.'),
    error: z
      .object({
        code: z
          .enum(codes)
          .describe(
            'What went wrong, for programs. Only people in the dashboard get `PROOF_REQUIRED` and `SESSION_RENEWED`, never an API key.',
          ),
        message: z
          .string()
          .describe(
            'What went wrong, for people. The text can differ between errors with the same code; in programs, use `code`.',
          ),
        reason: z
          .enum(keysOf(errorReasons))
          .optional()
          .describe('Only with 403, 422 and 429: why, for programs. More may be added.'),
        required_scope: z
          .enum(allScopes)
          .optional()
          .describe('Only with the reason `scope`: the scope that the operation requires.'),
        details: z
          .record(z.string(), z.array(z.string()))
          .optional()
          .describe(
            'Only with `VALIDATION_ERROR`: the messages for each field, parameter or header by its name. `body` stands for the request body as a whole.',
          ),
        retry_after: z
          .int()
          .min(1)
          .optional()
          .describe('Only with `RATE_LIMIT_EXCEEDED`: how many seconds to wait.'),
        doc_url: z
          .url()
          .optional()
          .describe('Only with a `reason`: the page that explains it, with what to do.'),
      })
      .describe('What went wrong.'),
  })
  .meta({ id: 'Error', description: 'The body of every error but the 401 for a missing key.' });

export type ErrorEnvelope = z.infer<typeof errorEnvelope>;

/** The 401 body of a request without a key. */
export const unauthenticatedBody = z
  .object({ message: z.string().describe('Always `Unauthenticated.`') })
  .meta({
    id: 'Unauthenticated',
    description: 'The body of the 401 for a request without a key.',
    examples: [{ message: unauthenticatedMessage }],
  });
