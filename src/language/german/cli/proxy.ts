import type { CliPart } from '../../cli-message.ts';

export const cliProxy: CliPart<'cliProxy'> = {
  hereSettings:
    'Hier muss in daemon.yml „stream_proxy: {open}enabled: true{close}“ stehen. Von einem anderen Rechner geht es durch einen SSH-Tunnel.',
  noTokens: 'Keine Token.',
  onlyNow: 'Er wird nur jetzt gezeigt. Auf dem anderen Host:',
  revoked: 'Der Token „{name}“ gilt nicht mehr.',
};
