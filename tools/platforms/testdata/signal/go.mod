module example.com/signal

go 1.26.0
