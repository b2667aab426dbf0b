/** A clock for countdowns: ticks once a second while somebody watches. */
class Clock {
  now = $state(Date.now());
  #watchers = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Starts it; the result stops it again. */
  run(): () => void {
    if (this.#watchers++ === 0) {
      // untracked: an effect that starts the clock must not follow it
      this.now = Date.now();
      this.#timer = setInterval(() => (this.now = Date.now()), 1000);
    }
    return () => {
      if (--this.#watchers === 0) clearInterval(this.#timer);
    };
  }
}

export const clock = new Clock();
