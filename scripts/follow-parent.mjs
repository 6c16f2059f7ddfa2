// Preloaded into what scripts/ starts (`node --import`): when the starter is killed, its channel closes, and the
// program shuts down as if it had been asked to, instead of running on with nobody to stop it.
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
