module example.com/formwire-receiver

go 1.19
