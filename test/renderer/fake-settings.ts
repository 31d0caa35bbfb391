/** Settings methods of the fake host: the app, default rules, the bridge, the relay, a backup. */
import type { BridgeStatus } from '../../src/contract/bridge.ts';
import type { BackupFacts, DesktopView } from '../../src/contract/desktop-methods.ts';
import { textError } from '../../src/contract/errors.ts';
import type { MethodInput, MethodName, MethodOutput } from '../../src/contract/methods.ts';
import { err, ok, type Result } from '../../src/contract/result.ts';
import { now } from './fake-data.ts';
import type { Handler } from './fake-host.ts';

export const desktopView = (): DesktopView => ({
  settings: {
    startAtLogin: false,
    notify: { approvals: true, finished: false, failed: true, mentioned: true },
    notifyText: false,
    trayPanel: 'auto',
    language: 'system',
    lockAfterMin: 0,
    askShortcut: '',
    updates: false,
  },
  host: { by: 'app', state: 'up', pid: 4711 },
  tray: true,
  isShortcutTaken: false,
  update: { configured: false, ready: null },
  restore: null,
});

export class FakeSettings {
  /** `null` if the page is in a browser. */
  desktop: DesktopView | null = desktopView();
  /** Choice in the system's dialog; `null` closes it. */
  pickedFolder: string | null = null;
  policy: MethodOutput<'policy.get'> = {
    mode: null,
    rules: [],
    path: '/home/ada/.kennel/daemon.yml',
    approvalHours: 24,
    problem: '',
    version: 'v1',
  };
  lock: MethodOutput<'lock.view'> = {
    kind: 'none',
    lastOpened: null,
    browsers: [{ id: 'b1', since: now - 3_600_000, usedAt: now - 60_000, pages: 1 }],
  };
  bridge: BridgeStatus = {
    enabled: true,
    url: 'http://127.0.0.1:63387',
    note: '',
    paired: { slug: 'ada-77aa', deviceId: 'dev_web', pairedAt: now - 86_400_000 },
    window: null,
  };
  backup: Result<BackupFacts | null> = ok({
    path: '/media/stick/kennel-backup',
    version: '1.2.0',
    madeAt: now - 86_400_000,
    files: 41,
    bytes: 3_100_000,
  });
  profile: MethodOutput<'profile.own'> = {
    slug: 'you-3f9a',
    displayName: 'You',
    serverUrl: 'http://127.0.0.1:43121',
    picture: '',
    untold: false,
  };
  relay: MethodOutput<'relay.status'> = {
    embedded: true,
    url: 'http://127.0.0.1:43117',
    bytes: 245_760,
    connections: 3,
    people: [
      { slug: 'guide-1c2d', displayName: 'Guide', agent: true, createdAt: 1 },
      { slug: 'you-3f9a', displayName: 'You', agent: false, createdAt: 1 },
    ],
  };

  table(): Partial<Record<MethodName, Handler>> {
    return {
      'desktop.view': () =>
        this.desktop === null ? err(textError('unsupported', 'There is no app here.')) : ok(this.desktop),
      'desktop.set': (change: MethodInput<'desktop.set'>) => {
        if (this.desktop === null) return err(textError('unsupported', 'There is no app here.'));
        const before = this.desktop.settings;
        const settings = { ...before, ...change, notify: { ...before.notify, ...change.notify } };
        this.desktop = { ...this.desktop, settings: settings as DesktopView['settings'] };
        return ok(this.desktop.settings);
      },
      'profile.own': () => ok(this.profile),
      'profile.editOwn': ({ displayName, avatar }: MethodInput<'profile.editOwn'>) => {
        const picture = avatar ? `data:image/png;base64,${avatar.base64}` : this.profile.picture;
        this.profile = { ...this.profile, displayName: displayName ?? this.profile.displayName, picture };
        return ok({ warning: '' });
      },
      'policy.get': () => ok(this.policy),
      'policy.set': (change: MethodInput<'policy.set'>) => {
        this.policy = { ...this.policy, ...(change as Partial<MethodOutput<'policy.get'>>) };
        return ok({});
      },
      'lock.view': () => ok(this.lock),
      'lock.setPassphrase': () => {
        this.lock = { ...this.lock, kind: 'own' };
        return ok({});
      },
      'lock.endBrowser': ({ id }: { id: string }) => {
        this.lock = { ...this.lock, browsers: this.lock.browsers.filter((one) => one.id !== id) };
        return ok({});
      },
      'vault.changePassphrase': () => ok({}),
      'bridge.status': () => ok(this.bridge),
      'bridge.openPairing': ({ device = null }: { device?: string | null }) => {
        const until = Date.now() + 300_000;
        this.bridge = {
          ...this.bridge,
          window: { code: device === null ? '407113' : '', device, until, failures: 0 },
        };
        return ok({ code: '407113', until, url: this.bridge.url ?? '' });
      },
      'bridge.closePairing': () => {
        this.bridge = { ...this.bridge, window: null };
        return ok({});
      },
      'bridge.unpair': () => {
        this.bridge = { ...this.bridge, paired: null };
        return ok({ slug: 'ada-77aa' });
      },
      'relay.status': () => ok(this.relay),
      'relay.invite': () => ok({ code: 'inv-9f3k-77', url: this.relay.url ?? '', validForDays: 7 }),
      'devices.fingerprint': () => ok({ slug: 'you-3f9a', fingerprint: 'aaaa bbbb cccc dddd' }),
      'desktop.saveBackup': () =>
        ok({ saved: { path: '/media/stick/kennel-backup', files: 41, bytes: 3_100_000 } }),
      'desktop.pickBackup': () => (this.backup.ok ? ok({ backup: this.backup.value }) : this.backup),
      'desktop.restore': () => {
        if (this.desktop) this.desktop = { ...this.desktop, restore: { type: 'running', files: 20, of: 41 } };
        return ok({});
      },
      'desktop.pickFolder': () => ok({ path: this.pickedFolder }),
      'desktop.pickSkills': () => ok({ path: this.pickedFolder }),
      'desktop.pickImport': ({ what }: { what: string }) =>
        ok({ transferId: what === 'folder' ? 'tr_folder' : null }),
      'backup.makeHere': () =>
        ok({ path: '/home/ada/my kennel-backup-20261121-204500', files: 41, bytes: 3_100_000 }),
    };
  }
}
