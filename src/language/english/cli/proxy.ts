export const cliProxy = {
  hereSettings:
    'Here, daemon.yml has to say "stream_proxy: {open}enabled: true{close}". From another machine, come through an SSH tunnel.',
  noTokens: 'No tokens.',
  onlyNow: 'This is the only time it is shown. On the other host:',
  revoked: 'The token "{name}" is revoked.',
} as const;
