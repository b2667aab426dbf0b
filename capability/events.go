package capability

import "sync"

// dispatcher makes callbacks one at a time, in order, from one goroutine. Its
// queue is as long as what was committed but not yet told: the committing side
// is slower (a durable write each) than the telling side, and blocking here
// could deadlock a caller that holds what the callback needs.
type dispatcher struct {
	mu     sync.Mutex
	wake   *sync.Cond
	queue  []func()
	dirty  bool // a prompts change is in the queue already
	closed bool
	done   chan struct{}
}

func newDispatcher() *dispatcher {
	d := &dispatcher{done: make(chan struct{})}
	d.wake = sync.NewCond(&d.mu)
	go d.run()
	return d
}

func (d *dispatcher) add(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.queue = append(d.queue, f)
		d.wake.Signal()
	}
}

// addOnce queues f unless the last such f has not run yet.
func (d *dispatcher) addOnce(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || d.dirty {
		return
	}
	d.dirty = true
	d.queue = append(d.queue, func() {
		d.mu.Lock()
		d.dirty = false
		d.mu.Unlock()
		f()
	})
	d.wake.Signal()
}

// close lets what is queued run and waits for it.
func (d *dispatcher) close() {
	d.mu.Lock()
	d.closed = true
	d.wake.Signal()
	d.mu.Unlock()
	<-d.done
}

func (d *dispatcher) run() {
	defer close(d.done)
	for {
		d.mu.Lock()
		for len(d.queue) == 0 && !d.closed {
			d.wake.Wait()
		}
		if len(d.queue) == 0 {
			d.mu.Unlock()
			return
		}
		f := d.queue[0]
		d.queue[0] = nil
		d.queue = d.queue[1:]
		d.mu.Unlock()
		f()
	}
}
