// Preloaded into the programs that scripts/ starts (`node --import`): when the starter is killed, its channel closes,
// and the program shuts down as if by a signal, instead of running on without a parent.
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
