module host

go 1.18
