/**
 * Builds the systemd unit and launchd file that start Kennel with the machine or the login: which program, in
 * which folder, with a restart after a failure. They contain no secrets.
 */
import { join } from 'node:path';
import { sha256Hex } from '../../platform/sha256.ts';

export interface ServiceCommand {
  /** Program and arguments, with absolute paths. */
  readonly words: readonly string[];
  readonly home: string;
  /** The standard data folder gets the plain service name; any other one its own, so that several can run. */
  readonly standardHome: string;
}

/** Seconds; longer than the host's shutdown, which takes up to 20 s. */
const stopSeconds = 25;
const restartSeconds = 5;

const suffix = ({ home, standardHome }: ServiceCommand): string =>
  home === standardHome ? '' : sha256Hex(home).slice(0, 8);

export const unitName = (command: ServiceCommand): string =>
  ['kennel', suffix(command)].filter(Boolean).join('-').concat('.service');

export const plistLabel = (command: ServiceCommand): string =>
  ['ai.kennel.host', suffix(command)].filter(Boolean).join('.');

/**
 * Quotes one argument of a unit file (systemd.syntax(7)) so that nothing in it is expanded. `dollar` if
 * variables are expanded there.
 */
const word = (text: string, dollar: boolean): string => {
  const escaped = text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%');
  return `"${dollar ? escaped.replaceAll('$', '$$$$') : escaped}"`;
};

export function systemdUnit(command: ServiceCommand): string {
  return [
    '[Unit]',
    'Description=Kennel, supervisor of AI agents in a team chat',
    'StartLimitIntervalSec=600',
    'StartLimitBurst=6',
    '',
    '[Service]',
    'Type=simple',
    `ExecStart=${command.words.map((one) => word(one, true)).join(' ')}`,
    `Environment=${word(`KENNEL_HOME=${command.home}`, false)}`,
    'Restart=on-failure',
    `RestartSec=${restartSeconds}`,
    'KillMode=mixed',
    `TimeoutStopSec=${stopSeconds}`,
    'UMask=0077',
    'StandardOutput=null',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

const xml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

export function launchdPlist(command: ServiceCommand): string {
  const strings = command.words.map((one) => `    <string>${xml(one)}</string>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key><string>${xml(plistLabel(command))}</string>`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...strings,
    '  </array>',
    '  <key>EnvironmentVariables</key>',
    `  <dict><key>KENNEL_HOME</key><string>${xml(command.home)}</string></dict>`,
    '  <key>RunAtLoad</key><true/>',
    '  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>',
    `  <key>ThrottleInterval</key><integer>${restartSeconds}</integer>`,
    `  <key>ExitTimeOut</key><integer>${stopSeconds}</integer>`,
    '  <key>ProcessType</key><string>Background</string>',
    '  <key>Umask</key><integer>63</integer>',
    `  <key>StandardErrorPath</key><string>${xml(join(command.home, 'logs', 'service.log'))}</string>`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}
