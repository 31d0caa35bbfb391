/** Exports an agent: as an encrypted bundle with its keys, or as a zip or plain folder without (T18). */
import type { Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { asResult, BundleFault } from './bundle-fault.ts';
import { segmentsOf } from './entry-names.ts';
import { type FoundFile, listTree } from './folder-files.ts';
import { holdsSecret, mayHoldSecrets, staysHere } from './portable.ts';
import { minPassphrase, seal } from './sealed-bundle.ts';
import { writeFolder, writeWhole } from './whole-output.ts';
import { zipLimits } from './zip-limits.ts';
import { type ZipMember, zipPieces } from './zip-writer.ts';

export interface ExportedAgent {
  readonly id: string;
  readonly folder: string;
  readonly slug: string;
  readonly displayName: string;
  readonly deviceId: string;
  /** Includes the API key for a bundle only. */
  readonly config: string;
  /** Maps a file name to its content; only for a bundle. */
  readonly keys: Readonly<Record<string, string>>;
}

export interface ExportOptions {
  readonly path: string;
  readonly replace: boolean;
  /** ms since the epoch. */
  readonly now: number;
  readonly looksSecret: (text: string) => boolean;
}

export interface Exported {
  readonly files: number;
  readonly bytes: number;
  /** Omitted files, because they are links or may hold secrets. */
  readonly left: readonly string[];
}

const textFile = (path: string, text: string, now: number): FoundFile => {
  const bytes = Buffer.from(text, 'utf8');
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes;
  };
  return { path, size: bytes.length, changedAt: now, chunks };
};

interface Portable {
  readonly files: readonly FoundFile[];
  readonly left: readonly string[];
}

const byUse = (path: string): number => ['agent.yml', 'profile.md'].indexOf(path) + 1 || 9;

async function portableFiles(
  agent: ExportedAgent,
  options: ExportOptions,
  plain: boolean,
): Promise<Portable> {
  const tree = listTree(agent.folder, staysHere);
  const left = [...tree.left];
  const files = [textFile('agent.yml', agent.config, options.now)];
  for (const file of tree.files) {
    if (file.path === 'agent.yml') continue;
    const secret = plain && (mayHoldSecrets(file.path) || (await holdsSecret(file, options.looksSecret)));
    if (secret || segmentsOf(file.path) === null) left.push(file.path);
    else files.push(file);
  }
  for (const [name, text] of Object.entries(agent.keys)) {
    if (!plain) files.push(textFile(`keys/${name}`, text, options.now));
  }
  return { files: files.sort((a, b) => byUse(a.path) - byUse(b.path)), left };
}

const packed = (files: readonly FoundFile[], prefix: string): ZipMember[] =>
  files.map(({ path, changedAt, chunks }) => ({ name: `${prefix}${path}`, changedAt, chunks }));

export function exportPlain(
  agent: ExportedAgent,
  kind: 'zip' | 'folder',
  options: ExportOptions,
): Promise<Result<Exported>> {
  return asResult(options.path, async () => {
    const { files, left } = await portableFiles(agent, options, true);
    const bytes =
      kind === 'zip'
        ? await writeWhole(options.path, zipPieces(packed(files, `${agent.id}/`)), options.replace)
        : await writeFolder(options.path, files, zipLimits.totalBytes);
    return { files: files.length, bytes, left };
  });
}

/** puffo-agent's manifest format, without additions. */
const manifest = ({ id, slug, displayName, deviceId }: ExportedAgent, now: number, by: string): string => {
  const agent = { display_name: displayName, id, old_device_id: deviceId, slug };
  return JSON.stringify(
    { agents: [agent], exported_at: now, exported_by_slug: by, format_version: 1 },
    null,
    2,
  );
};

export function exportBundle(
  agent: ExportedAgent,
  options: ExportOptions & { readonly passphrase: string; readonly exportedBy: string },
): Promise<Result<Exported>> {
  return asResult(options.path, async () => {
    if ([...options.passphrase].length < minPassphrase) {
      throw new BundleFault('invalid_input', say('moving.passphraseTooShort', { n: minPassphrase }), {
        hint: say('moving.useLongPassphrase'),
      });
    }
    const { files, left } = await portableFiles(agent, options, false);
    const head = textFile('manifest.json', manifest(agent, options.now, options.exportedBy), options.now);
    const all = [...packed([head], ''), ...packed(files, `agents/${agent.id}/`)];
    const bytes = await writeWhole(options.path, seal(zipPieces(all), options.passphrase), options.replace);
    return { files: files.length, bytes, left };
  });
}
