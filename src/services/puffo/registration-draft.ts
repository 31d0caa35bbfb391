/**
 * An identity whose slug is not bound yet, as saved during registration. The text holds secrets, so it must
 * be encrypted when stored.
 */
import { z } from 'zod';
import type { Result } from '../../contract/result.ts';
import { fromBase64Url, toBase64Url } from '../../core/lib/bytes.ts';
import type { NewIdentity } from '../../core/puffo/identity.ts';
import {
  deviceCertSchema,
  identityCertSchema,
  type SlugBinding,
  slugBindingSchema,
} from '../../core/puffo/wire.ts';

/** The server has chosen a slug; the second phase is sent, or about to be. */
export interface Named {
  readonly slug: string;
  readonly token: string;
  readonly binding: SlugBinding;
}

export interface EnrolmentDraft {
  readonly made: NewIdentity;
  readonly named: Named | null;
}

export interface DraftJournal {
  read(): Result<EnrolmentDraft | null>;
  /** Durable when it returns. */
  write(draft: EnrolmentDraft): Result<void>;
}

const secret = z
  .string()
  .transform((text) => fromBase64Url(text) ?? new Uint8Array())
  .refine((bytes) => bytes.length === 32);

const draftSchema = z.object({
  made: z.object({
    secrets: z.object({ root: secret, deviceSigning: secret, kem: secret }),
    rootPublicKey: z.string(),
    deviceId: z.string(),
    identityCert: identityCertSchema,
    deviceCert: deviceCertSchema,
  }),
  named: z.object({ slug: z.string(), token: z.string(), binding: slugBindingSchema }).nullable(),
});

export function draftText({ made, named }: EnrolmentDraft): string {
  const { root, deviceSigning, kem } = made.secrets;
  const secrets = {
    root: toBase64Url(root),
    deviceSigning: toBase64Url(deviceSigning),
    kem: toBase64Url(kem),
  };
  return JSON.stringify({ made: { ...made, secrets }, named });
}

/** `null` for a text that is no draft. */
export function readEnrolmentDraft(text: string): EnrolmentDraft | null {
  try {
    const parsed = draftSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
