/** Reads the certificate in a key file; it is not secret, so this works while the vault is closed. */
import { join } from 'node:path';
import { z } from 'zod';
import { tryJson } from '../../core/lib/json-as.ts';
import type { DiskPort } from '../../core/ports.ts';

const maxBytes = 1024 * 1024;
const keyFile = z.object({ identity_cert_json: z.string() });
const certificate = z.object({
  root_public_key: z.string(),
  declared_operator_public_key: z.string().nullish(),
});

/** Both base64url. */
export interface PublicIdentity {
  readonly rootPublicKey: string;
  /** `null` if the identity is a person's. */
  readonly operatorRootPublicKey: string | null;
}

/** `folder` contains the identity's keys. `null` if its certificate is missing or unreadable. */
export function readPublicIdentity(disk: DiskPort, folder: string, slug: string): PublicIdentity | null {
  const text = disk.readText(join(folder, `${slug}.json`), maxBytes);
  const file = keyFile.safeParse(tryJson(text.ok ? (text.value ?? '') : ''));
  const cert = certificate.safeParse(file.success ? tryJson(file.data.identity_cert_json) : null);
  if (!cert.success) return null;
  const { root_public_key: rootPublicKey, declared_operator_public_key: operator } = cert.data;
  return { rootPublicKey, operatorRootPublicKey: operator ?? null };
}
