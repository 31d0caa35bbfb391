export const usage = {
  goesItselfWhenDisk: 'It goes on by itself when the disk works again.',
  priceUnknownBudgetDollars:
    'The price of {model} is unknown, and the budget of {name} is in dollars. The model was not asked.',
  setPriceDaemonYml: 'Set a price for {model} (daemon.yml, `prices`), or use a budget in tokens instead.',
  spentFarCannotRead: 'What was spent so far cannot be read, so nothing more is spent. {why}',
  spentLockedSecrets: 'What was spent is locked with your secrets.',
} as const;
