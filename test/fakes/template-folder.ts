/**
 * Vitest global setup of the host suite: a folder for templates that are built once per run and then copied.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'kennel-templates-'));
  process.env.KENNEL_TEST_TEMPLATES = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
