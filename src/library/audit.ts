/** Reads and verifies a host's audit log from the files in its folder, without the host. */

import { type AuditQuery, readAudit } from '../services/audit/read-audit.ts';
import { type AuditVerdict, verifyAudit } from '../services/audit/verify-audit.ts';
import { createNobleEngine } from '../services/crypto/noble-engine.ts';

/** `folder` is `audit` in the data folder. */
export const verifyAuditFolder = (folder: string): AuditVerdict => verifyAudit(createNobleEngine(), folder);

/** Newest first. */
export const readAuditFolder = (folder: string, query: AuditQuery) => readAudit(folder, query);
